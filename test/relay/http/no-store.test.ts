import { expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { NOTHING_LOADS } from "../../../core/protocol/content-policy.ts";
import { ROUTES } from "../../../relay/http/routes.ts";
import { smallWav } from "../../wav-bytes.ts";
import { manifestOf } from "../../manifest-of.ts";
import { RunningRelay } from "../running-relay.ts";
import { INTEROP, partHeaders } from "./partial-calls.ts";
import { rawCall } from "./raw-call.ts";

/** The only answers that a cache may keep: the same for everybody. */
const PUBLIC = ["/", "/openapi.json", "/client.js", `/client-${VERSION}.js`];
const PAGES = {
  home: async () => "<!doctype html><title>Relay</title>",
  clientFiles: async () => new Map([["client.js", "export {};"]]),
};

/** The calls of one package's life, in an order in which each succeeds. */
const LIFE = [
  "POST /importer/register",
  "GET /importer/hello",
  "GET /importer/me",
  "PATCH /importer/me",
  "POST /importer/pairing-code",
  "GET /importer/pairing-request",
  "POST /importer/pairing-request",
  "POST /pair/claim",
  "GET /app/me",
  "POST /packages",
  "HEAD /packages/:id/files/:file",
  "PATCH /packages/:id/files/:file",
  "PUT /packages/:id/files/:file",
  "POST /packages/:id/commit",
  "GET /packages",
  "GET /packages/:id/status",
  "GET /importer/apps",
  "GET /importer/packages",
  "GET /importer/packages/:id",
  "POST /importer/packages/:id/take",
  "GET /importer/packages/:id/files/:file",
  "POST /importer/packages/:id/results",
  "DELETE /packages/:id",
  "GET /manifest.schema.json",
  "GET /openapi.json",
  "GET /docs",
  "GET /llms.txt",
  "GET /healthz",
  "GET /readyz",
  "POST /app/unpair",
  "DELETE /importer/pairing-code",
  "DELETE /importer/apps/:pairing_id",
  "DELETE /importer/me",
];

/** Makes every call of the API once as it succeeds, each after the one before. */
async function liveThrough(relay: RunningRelay) {
  const known: Record<string, string> = { file: "kick.wav" };
  const bodies: Record<string, object> = {
    "POST /importer/register": { device_name: "Studio" },
    "PATCH /importer/me": { device_name: "Attic" },
    "POST /importer/pairing-request": { request_id: "req_1", answer: "allow" },
    "POST /packages": manifestOf(["kick.wav"]),
    "PATCH /packages/:id/files/:file": smallWav(),
    "PUT /packages/:id/files/:file": smallWav(),
    "POST /importer/packages/:id/results": { results: { 1: { status: "imported" } } },
  };
  const answers = [];
  for (const life of LIFE) {
    const [method = "", pattern = ""] = life.split(" ");
    const auth = ROUTES.find((route) => route.method === method && route.path === pattern)?.auth;
    const path = pattern.replaceAll(/:(\w+)/g, (_, part: string) => known[part] ?? "x");
    const token = auth === "app" ? known["app_token"] : known["importer_token"];
    const body =
      pattern === "/pair/claim"
        ? { code: known["code"], app_name: "Looper", app_id: "1" }
        : bodies[life];
    const { status, headers, text } = await relay.call(method, path, {
      headers: method === "HEAD" ? INTEROP : method === "PATCH" ? partHeaders(0, "?1") : {},
      ...(auth !== "open" && token !== undefined && { token }),
      ...(body !== undefined && { body }),
    });
    const json = status < 400 && text.startsWith("{") ? JSON.parse(text) : {};
    Object.assign(known, json, json.package_id !== undefined && { id: json.package_id });
    if (pattern === "/importer/apps") known["pairing_id"] = json.apps[0].pairing_id;
    const policy = headers.get("content-security-policy");
    answers.push({ life, path, status, policy, cached: headers.get("cache-control") });
  }
  return answers;
}

test("[SEC1] no cache keeps the answer to any call of the API, but what is the same for everybody", async () => {
  await using relay = await RunningRelay.start({}, { pages: PAGES });
  const answers = await liveThrough(relay);
  expect(answers.map(({ life }) => life).toSorted()).toEqual(
    ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
  // Nobody asked anything, the package was imported, and the app has unpaired itself.
  const refused = answers.filter(({ status }) => status >= 400).map(({ life }) => life);
  expect(refused).toEqual([
    "POST /importer/pairing-request",
    "DELETE /packages/:id",
    "DELETE /importer/apps/:pairing_id",
  ]);
  for (const { life, path, cached } of answers) {
    expect(cached, life).toBe(PUBLIC.includes(path) ? "no-cache" : "no-store");
  }
});

test("[SEC10] no answer of the API loads anything or is framed where a browser opens it, and pages have policies of their own", async () => {
  await using relay = await RunningRelay.start({}, { pages: PAGES });
  for (const { life, path, policy } of await liveThrough(relay)) {
    const isText = path === "/openapi.json";
    if (isText) expect(policy).toBeNull();
    else if (path === "/docs")
      expect(policy, life).toMatch(/style-src 'sha256-.*frame-ancestors 'none'/);
    else expect(policy, life).toBe(NOTHING_LOADS);
  }
  const paths = ["/", "/client.js", "/nothing"];
  const [page, script, refused] = await Promise.all(
    paths.map(async (path) => (await relay.call("GET", path)).headers),
  );
  expect(page?.get("content-security-policy")).toMatch(
    /connect-src 'self'.*frame-ancestors 'none'/,
  );
  expect(script?.has("content-security-policy")).toBe(false);
  expect(refused?.get("content-security-policy")).toBe(NOTHING_LOADS);
});

test("[SEC1] no cache keeps a refusal that no route gives", async () => {
  await using relay = await RunningRelay.start({}, { pages: PAGES });
  for (const head of [
    "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    "nonsense\r\n\r\n",
  ]) {
    expect(await rawCall(relay.url, head)).toMatch(/^HTTP\/1.1 4[^]*cache-control: no-store/i);
  }
});

test("[SEC1] pages and scripts, which are the same for everybody, may be kept", async () => {
  await using relay = await RunningRelay.start({}, { pages: PAGES });
  for (const path of PUBLIC) {
    const { status, headers } = await relay.call("GET", path);
    expect([status, headers.get("cache-control")?.includes("no-store")], path).toEqual([
      200,
      false,
    ]);
  }
});

test("[SEC1] no cache keeps the metrics", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_METRICS_PORT: "0" });
  for (const [path, status] of [
    ["/metrics", 200],
    ["/nothing", 404],
  ] as const) {
    const answer = await fetch(new URL(path, relay.metricsUrl));
    await answer.text();
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([status, "no-store"]);
  }
});
