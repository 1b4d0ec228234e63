import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Route } from "../../../addon/control/control-call.ts";
import { serveControl } from "../../../addon/control/control-server.ts";
import { importerRoutes } from "../../../addon/control/importer-routes.ts";
import { liveCheckRoutes } from "../../../addon/control/panel-routes.ts";
import type { LiveChecker } from "../../../addon/hosts/live-setup.ts";
import { NOTHING_LOADS, STRETCH_PATH } from "../../../core/protocol/content-policy.ts";
import { LiveCheck } from "../../../addon/runs/live-sync.ts";
import { REAL_TIMERS } from "../../../addon/timers.ts";
import { ask, SECRET } from "./ask.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";

/** Serves the routes of an importer that records every access. */
async function serveUntouched() {
  const touched: string[] = [];
  const importer = new Proxy({} as Parameters<typeof importerRoutes>[0], {
    get: (_, name) => {
      touched.push(String(name));
      return () => Promise.reject(new Error("was called"));
    },
  });
  const { routes, server } = await serveRoutes(importer);
  return { routes, port: server.port, touched };
}

async function serveRoutes(importer: Parameters<typeof importerRoutes>[0]) {
  const panelPage = async () => "<p>The panel</p>";
  const routes = importerRoutes(importer, { panelPage, timers: new ManualTimers(), now: Date.now });
  const server = await serveControl(routes, { port: 0, secret: SECRET });
  onTestFinished(() => server.close());
  return { routes, server };
}

function pathTo({ path }: Route): string {
  return path.replace(":package_id", "pkg_1").replace(":sound_id", "1").replace(":pairing_id", "p");
}

test("[N1] every route but the page's, its module's and a dragged sound's wants the secret, this host's name and no other page's origin", async () => {
  const { routes, port, touched } = await serveUntouched();
  const strangers = [
    { "x-soundferry-secret": undefined },
    { "x-soundferry-secret": "wrong" },
    { "x-soundferry-secret": undefined, origin: "null" },
    { "x-soundferry-secret": undefined, origin: `http://127.0.0.1:${port}` },
    { origin: "https://evil.example" },
    { host: `evil.example:${port}` },
    { host: "127.0.0.1:80" },
  ];
  const closed = routes.filter(({ isOpen }) => isOpen !== true);
  expect(routes.length - closed.length).toBe(3);
  for (const route of closed) {
    for (const headers of strangers) {
      const asked = { method: route.method, path: pathTo(route), headers, body: {} };
      const { status, json } = await ask(port, asked);
      expect.soft(status, JSON.stringify(asked)).toBe(403);
      expect.soft(Object.keys(json ?? {})).toEqual(["error", "status"]);
    }
  }
  expect(touched).toEqual([]);
});

test("[SEC1][SEC10] no cache keeps an answer to the panel or to programs, but the module that is the same for everybody", async () => {
  const sound = { fileName: "Kick.wav", sizeBytes: 0, body: (async function* () {})() };
  const does = () => Promise.resolve(sound);
  const importer = new Proxy(does, { get: () => importer, apply: does });
  const { routes, server } = await serveRoutes(
    importer as unknown as Parameters<typeof importerRoutes>[0],
  );
  const statuses = new Set<number>();
  // A stream of a state has no end.
  for (const route of routes.filter(({ path }) => !/state$|live\/check$/.test(path))) {
    for (const headers of [{}, { "x-soundferry-secret": undefined }]) {
      const asked = { method: route.method, path: pathTo(route), headers };
      const answer = await ask(server.port, asked);
      statuses.add(answer.status);
      if (answer.headers["content-type"] === "application/json") {
        expect.soft(answer.headers["content-security-policy"], route.path).toBe(NOTHING_LOADS);
      }
      expect
        .soft(answer.headers["cache-control"], `${route.method} ${route.path}`)
        .toBe(route.path === STRETCH_PATH ? "private, max-age=3600" : "no-store");
    }
  }
  expect(statuses).toEqual(new Set([200, 400, 403, 404, 500]));
});

describe("an invalid request", () => {
  test.each([
    ["POST", "/control/runs", { packageId: "/etc" }],
    ["POST", "/control/runs", "no json"],
    ["PUT", "/control/relay", { address: 7 }],
    ["PUT", "/control/relay", []],
    ["PUT", "/control/relay/moved", { isSame: "yes", movedFrom: "http://a.example" }],
    ["PUT", "/control/relay/moved", { isSame: true }],
    ["PUT", "/control/host-settings/correct-tempo", { value: "yes" }],
    ["POST", "/control/device-name", {}],
    ["POST", "/control/packages/pkg_1/sounds/1/drag", { token: "1" }],
    ["POST", "/control/import", { source: "pkg_1", session_tempo_bpm: 5 }],
  ])("[N1] is refused before the importer is asked: %s %s %j", async (method, path, body) => {
    const { port, touched } = await serveUntouched();
    const answer = await ask(port, { method, path, body });
    expect(answer.status).toBe(400);
    expect(answer.json?.["error"]).toMatch(/ must be .*\.$/);
    expect(touched).toEqual([]);
  });
});

describe("a sound that is listened to", () => {
  /** Serves an importer with one endless sound, to which somebody has begun to listen. */
  async function listen() {
    const opened = Promise.withResolvers<AbortSignal>();
    const left = Promise.withResolvers<void>();
    async function* endless() {
      try {
        for (;;) {
          await setImmediate();
          yield new Uint8Array(65_536);
        }
      } finally {
        left.resolve();
      }
    }
    const importer = {
      openSound: async (_packageId: string, _soundId: string, signal: AbortSignal) => {
        opened.resolve(signal);
        return { fileName: "Kick.wav", sizeBytes: null, body: endless() };
      },
    } as unknown as Parameters<typeof importerRoutes>[0];
    const { server } = await serveRoutes(importer);
    const path = "/control/packages/pkg_1/sounds/a%2Fb";
    const headers = { "x-soundferry-secret": SECRET };
    const calling = request({ host: "127.0.0.1", port: server.port, path, headers }).end();
    const [answer]: IncomingMessage[] = await once(calling, "response");
    // It is never read to its end.
    answer?.on("error", () => {});
    return { server, answer, left: left.promise, signal: await opened.promise };
  }

  test("[N6] is stopped at its source when the listener goes", async () => {
    const { answer, left, signal } = await listen();
    answer?.destroy();
    await left;
    expect(signal.aborted).toBe(true);
  });

  test("[N6] doesn't keep the server from closing, however slow the listener is", async () => {
    const { server, left, signal } = await listen();
    await server.close();
    await left;
    expect(signal.aborted).toBe(true);
  });
});

const PATH = "/control/live/check";
const QUESTION = { id: "playing", text: "Press Play.", answer: "done" } as const;

async function serve(checker: LiveChecker | undefined) {
  const check = new LiveCheck(checker, (work) => work());
  const routes = liveCheckRoutes({ live: { check } }, { timers: REAL_TIMERS });
  const server = await serveControl(routes, { port: 0, secret: SECRET });
  onTestFinished(() => server.close());
  const call = async (method: string, path = PATH, body?: object) =>
    (await ask(server.port, { method, path, body })).status;
  return { check, call };
}

/** A check that asks one question and fails with the answer. */
const asking: LiveChecker = async (talk) => {
  const answer = await talk.ask(QUESTION);
  talk.signal.throwIfAborted();
  throw new Error(`The answer was ${String(answer)}.`);
};

test("[H21] one check runs at a time, and each answer counts once, for its own question", async () => {
  const { check, call } = await serve(asking);
  expect(await call("POST")).toBe(202);
  expect(await call("POST")).toBe(409);
  const answer = (id: string, given: unknown) =>
    call("POST", `${PATH}/answers/${id}`, { answer: given });
  expect(await answer("other", true)).toBe(404);
  for (const wrong of ["yes", -1, 1.5, false, undefined]) {
    expect(await answer("playing", wrong)).toBe(400);
  }
  expect(check.state).toMatchObject({ status: "running", ask: QUESTION });
  expect(await answer("playing", 7)).toBe(200);
  expect(await answer("playing", 7)).toBe(404);
  await until(() => check.state.status === "failed");
  expect(check.state).toMatchObject({ ask: null, error: "The answer was 7." });
});

test("[H21] a check that is canceled while it asks ends, and another can begin", async () => {
  const { check, call } = await serve(asking);
  await call("POST");
  expect(await call("DELETE")).toBe(200);
  await until(() => check.state.status === "failed");
  expect(check.state.error).toMatch(/^The check was cancelled\./);
  expect(await call("POST")).toBe(202);
  await check.close();
  expect(check.state).toMatchObject({ status: "failed", ask: null });
});

test("[H21] an importer that can't reach Live refuses a check", async () => {
  const { call } = await serve(undefined);
  expect(await call("POST")).toBe(409);
});
