import { expect, test } from "vitest";
import type { FastifyRequest } from "fastify";
import { CallLog, loggedPath } from "../../../relay/http/call-log.ts";
import { LineSampler } from "../../../relay/http/line-sampler.ts";
import { openLog } from "../../../relay/node.ts";
import { ManualTimers } from "../../addon/manual-timers.ts";
import { inParallel } from "../../sim/http-call.ts";
import { soon } from "../../sim/soon.ts";
import { siteAddress } from "../../sim/stranger.ts";
import { RunningRelay } from "../running-relay.ts";
import { handOn } from "../operating/backed-up-relay.ts";
import { openSocket } from "./open-socket.ts";
import { rawCall } from "./raw-call.ts";

const SETTINGS = { SOUNDFERRY_LOG_LEVEL: "info", SOUNDFERRY_TRUST_PROXY: "127.0.0.1" };
const LINES = 20;
const MANY = 25;
const LONG = "x".repeat(30_000);
const TOKEN = "t".repeat(43);

interface RawCall {
  readonly method?: string;
  readonly path: string;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a call whose path and headers no library would send. Returns the answer's start. */
async function send(relay: RunningRelay, { method = "GET", path, from, headers = {} }: RawCall) {
  const given = { host: "localhost", "x-forwarded-for": from ?? "203.0.113.9", ...headers };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  const connection = "upgrade" in headers ? "close, Upgrade" : "close";
  return rawCall(
    relay.url,
    `${method} ${path} HTTP/1.1\r\n${lines.join("")}connection: ${connection}\r\n\r\n`,
  );
}

async function startAt(timers: ManualTimers, settings = {}) {
  return RunningRelay.start({ ...SETTINGS, ...settings }, { timers });
}

function parsed(relay: RunningRelay): Record<string, unknown>[] {
  return relay.logLines.map((line) => JSON.parse(line));
}

const SUMMARY = "lines left out in a minute";

function summaries(relay: RunningRelay): unknown[] {
  return parsed(relay).flatMap((line) => (line["msg"] === SUMMARY ? [line["left_out"]] : []));
}

/** Everything that a call without a token can do to the log, as the computers of one /48. */
const FLOODS: readonly (readonly [name: string, call: RawCall, what: string | undefined])[] = [
  ["an unknown path of 30 KB", { path: `/${LONG}` }, "404 PATH_UNKNOWN"],
  [
    "a wrong token",
    { path: "/app/me", headers: { authorization: `Bearer ${TOKEN}` } },
    "401 TOKEN_UNKNOWN",
  ],
  ["no token", { path: "/importer/packages" }, "401 TOKEN_MISSING"],
  ["a wrong method", { method: "DELETE", path: "/healthz" }, "405 METHOD_WRONG"],
  ["an empty claim", { method: "POST", path: "/pair/claim" }, "400 NOT_JSON"],
  [
    "a long client",
    { path: "/nowhere", headers: { "x-service-client": LONG } },
    "404 PATH_UNKNOWN",
  ],
  [
    "a refused socket",
    { path: `/importer/socket?${LONG}`, headers: { upgrade: "websocket" } },
    "401 TOKEN_MISSING",
  ],
  [
    "an upgrade elsewhere",
    { path: `/${LONG}`, headers: { upgrade: "websocket" } },
    "404 PATH_UNKNOWN",
  ],
  [
    "a preflight of the importer",
    { method: "OPTIONS", path: "/importer/hello" },
    "404 PATH_UNKNOWN",
  ],
  ["a preflight", { method: "OPTIONS", path: `/${LONG}` }, undefined],
  ["hello", { path: "/importer/hello" }, undefined],
  ["a path that can't be decoded", { path: "/app/%ff" }, "404 PATH_UNKNOWN"],
  ["a method that nobody knows", { method: "FOO", path: "/" }, undefined],
  ["headers of 40 KB", { path: "/", headers: { "x-large": LONG + LONG } }, undefined],
];

test.each(FLOODS)("[E8] %s writes few bytes, however often it comes", async (_, call, what) => {
  const timers = new ManualTimers();
  await using relay = await startAt(timers);
  const answers = await inParallel(MANY, 8, (index) =>
    send(relay, { ...call, from: `2001:db8:7:${index.toString(16)}::1` }),
  );
  expect(new Set(answers.map((answer) => answer.slice(0, 12))).size).toBe(1);
  await soon(() => relay.logLines.length).toBe(what === undefined ? 0 : LINES);
  expect(relay.logLines.join("").length).toBeLessThan(LINES * 1500);
  timers.advance(60_000);
  expect(summaries(relay)).toEqual(what === undefined ? [] : [{ [what]: MANY - LINES }]);
});

test("[E8] each minute begins with lines for everyone, and the relay says what it left out before it ends", async () => {
  const timers = new ManualTimers();
  await using relay = await startAt(timers);
  const flood = () => inParallel(LINES + 5, 8, () => send(relay, { path: "/nowhere" }));
  await flood();
  timers.advance(59_999);
  expect(summaries(relay)).toEqual([]);
  timers.advance(1);
  expect(summaries(relay)).toEqual([{ "404 PATH_UNKNOWN": 5 }]);
  await flood();
  await soon(() => relay.logLines.length).toBe(2 * LINES + 1);
  await relay.stop();
  expect(summaries(relay)).toHaveLength(2);
});

test("[E8] a network that floods hides no refusal of another one, and no trouble of its own", async () => {
  const timers = new ManualTimers();
  await using relay = await startAt(timers);
  await inParallel(MANY, 8, () => send(relay, { path: "/nowhere" }));
  await send(relay, { path: "/else", from: "198.51.100.1" });
  relay.relay.context.known.app = () => Promise.reject(new Error("broken inside"));
  const broken = { path: "/app/me", headers: { authorization: `Bearer ${TOKEN}` } };
  await inParallel(MANY, 8, () => send(relay, broken));
  const have = (key: string, value: unknown) =>
    parsed(relay).filter((line) => line[key] === value).length;
  await soon(() => have("status", 500)).toBe(LINES);
  expect([have("path", "/nowhere"), have("path", "/else")]).toEqual([LINES, 1]);
  // The cause of each, too.
  expect(have("msg", "trouble")).toBe(LINES);
  timers.advance(60_000);
  const left = MANY - LINES;
  expect(summaries(relay)).toEqual([
    { "404 PATH_UNKNOWN": left, "500 INTERNAL": left, errors: left },
  ]);
  expect(parsed(relay).at(-1)?.["level"]).toBe(50);
});

test("[E8] the metrics count what has no line", async () => {
  await using relay = await RunningRelay.start({ ...SETTINGS, SOUNDFERRY_METRICS_PORT: "0" });
  await inParallel(MANY, 8, () => send(relay, { path: "/nowhere" }));
  await send(relay, { path: "/app/%ff" });
  const metrics = async () => (await fetch(String(relay.metricsUrl))).text();
  await soon(metrics).toContain(`soundferry_refusals_total{code="PATH_UNKNOWN"} ${MANY + 1}`);
  expect(await metrics()).toMatch(new RegExp(`soundferry_calls_total{.*"none".*} ${MANY + 1}\n`));
});

test("[E8] more networks than the relay keeps apart share the lines of one", async () => {
  const timers = new ManualTimers();
  await using relay = await startAt(timers);
  const networks = 1000;
  const log = () => relay.logLines.length;
  await inParallel(networks, 16, (index) =>
    relay.call("GET", "/nowhere", { headers: { "x-forwarded-for": siteAddress(index) } }),
  );
  await soon(log).toBe(networks);
  await inParallel(MANY, 16, (index) =>
    relay.call("GET", "/nowhere", { headers: { "x-forwarded-for": siteAddress(5000 + index) } }),
  );
  await soon(log).toBe(networks + LINES);
});

test("[E8] every refusal of a call with a valid token has its line, until L1 refuses the calls", async () => {
  const timers = new ManualTimers();
  const settings = { SOUNDFERRY_CALLS_PER_MINUTE: "50" };
  await using relay = await startAt(timers, settings);
  const { token } = await relay.paired();
  const before = relay.logLines.length;
  const ids = await inParallel(110, 8, async () => {
    const { status, headers } = await relay.call("GET", "/packages/none/status", { token });
    return `${status} ${headers.get("x-request-id")}`;
  });
  const lines = () =>
    parsed(relay)
      .slice(before)
      .map(({ status, request_id: id }) => `${String(status)} ${String(id)}`);
  await soon(() => lines().length).toBe(50 + LINES);
  const refused = ids.filter((id) => id.startsWith("404"));
  expect(refused).toHaveLength(50);
  expect(
    lines()
      .filter((line) => line.startsWith("404"))
      .sort(),
  ).toEqual(refused.sort());
  timers.advance(60_000);
  expect(summaries(relay)).toEqual([{ "429 CALLS_TOO_MANY": 60 - LINES }]);
});

test("[E8] a right claim that is repeated again and again writes few lines", async () => {
  const timers = new ManualTimers();
  await using relay = await startAt(timers);
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", importer);
  const headers = { "idempotency-key": "the same key each time" };
  const body = { code: json.code, app_name: "Looper", app_id: "app-1" };
  for (let count = 0; count < MANY; count += 1) {
    expect((await relay.call("POST", "/pair/claim", { headers, body })).status).toBe(200);
  }
  timers.advance(60_000);
  // The registration was one of them; the code's line is the importer's own.
  expect(summaries(relay)).toEqual([{ "200": MANY + 1 - LINES }]);
});

test("[E8] the calls of a blocked computer write few lines", async () => {
  const timers = new ManualTimers();
  await using relay = await startAt(timers);
  const { importer, token } = await relay.paired();
  const admin = await handOn(relay.folder);
  expect(await admin.block({ kind: "device", subject: importer.deviceId }, true)).toBe(true);
  await soon(async () => (await relay.call("GET", "/app/me", { token })).status).toBe(403);
  await inParallel(MANY, 8, () => relay.call("GET", "/app/me", { token }));
  timers.advance(60_000);
  expect(parsed(relay).filter(({ status }) => status === 403)).toHaveLength(LINES);
  expect(summaries(relay)).toEqual([{ "403 DEVICE_BLOCKED": MANY + 1 - LINES }]);
});

test("[E8] sockets that can't look again write few lines", async () => {
  const timers = new ManualTimers();
  await using relay = await RunningRelay.start(SETTINGS, { timers });
  const { token } = await relay.register();
  const socket = await openSocket(relay, token);
  const { notifier, packages } = relay.relay.context;
  packages.list = () => Promise.reject(new Error("The database is locked."));
  for (let count = 0; count < MANY; count += 1) {
    notifier.missed();
    await relay.call("GET", "/healthz");
  }
  const lines = () => parsed(relay).filter(({ msg }) => msg === "looking again failed; retrying");
  await soon(() => lines().length).toBe(LINES);
  socket.terminate();
});

test("[AD10] the time of a line is ISO 8601 in UTC, with milliseconds", async () => {
  await using relay = await RunningRelay.start(SETTINGS);
  const before = new Date().toISOString();
  await relay.call("GET", "/nowhere");
  await soon(() => relay.logLines.length).toBe(1);
  const time = String(parsed(relay)[0]?.["time"]);
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect([before, time, new Date().toISOString()].toSorted()[1]).toBe(time);
});

test("[E2] a path is logged without its query and control characters, and cut at 200", async () => {
  await using relay = await RunningRelay.start(SETTINGS);
  const pathOf = async (path: string) => {
    const answer = await send(relay, { path });
    const id = /x-request-id: (\S+)/i.exec(answer)?.[1] ?? "none";
    const find = () => parsed(relay).find((line) => line["request_id"] === id);
    await soon(find).toBeDefined();
    return find()?.["path"];
  };
  expect(await pathOf("/app/me?token=secret")).toBe("/app/me");
  expect(await pathOf("/app/me#code=secret")).toBe("/app/me");
  expect(await pathOf("/app/me%3Ftoken=secret")).toBe("/app/me");
  expect(await pathOf(`/${"a".repeat(199)}`)).toBe(`/${"a".repeat(199)}`);
  expect(await pathOf(`/${"a".repeat(200)}`)).toBe(`/${"a".repeat(198)}…`);
  expect(await pathOf(`/${LONG}/packages/none/files/secret.wav`)).toHaveLength(200);
  expect(relay.logLines.join("")).not.toContain("secret");
});

test.each([
  ["info", [], 0],
  ["debug", ["url", "ip", "headers"], 1],
])("[E2] of a successful read at level %s the line's parts %j are read", (level, parts, count) => {
  const lines: string[] = [];
  const log = openLog(level, { write: (line) => void lines.push(line) });
  const read = new Set<string>();
  const noted = (name: string, value: unknown) => ({ get: () => (read.add(name), value) });
  const request = Object.defineProperties(
    { method: "GET", id: "id-1", raw: {} } as FastifyRequest,
    {
      url: noted("url", "/packages/pkg_1/status"),
      ip: noted("ip", "203.0.113.9"),
      headers: noted("headers", {}),
    },
  );
  using sampler = new LineSampler(log, new ManualTimers());
  new CallLog({ log, addresses: "full", sampler }).finished(request, 200, 3);
  expect([...read].toSorted()).toEqual(parts.toSorted());
  expect(lines).toHaveLength(count);
});

test("[E2] a cut path has no half of a character, and no control characters reach the log", () => {
  const before = `/${"a".repeat(197)}`;
  expect(loggedPath(`${before}\u{1f600}b`)).toBe(`${before}…`);
  expect(loggedPath("/a\u0085b\u202ec\ud83d")).toBe("/a b c ");
  const long = loggedPath(`/packages/${"p".repeat(100)}/files/${"secret".repeat(100)}`);
  expect(long).toBe(`/packages/${"p".repeat(100)}/files/*`);
});
