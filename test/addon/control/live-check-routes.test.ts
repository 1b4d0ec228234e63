import { expect, onTestFinished, test } from "vitest";
import { REAL_TIMERS } from "../../../addon/timers.ts";
import { serveControl } from "../../../addon/control/control-server.ts";
import { liveCheckRoutes } from "../../../addon/control/panel-routes.ts";
import type { LiveChecker } from "../../../addon/hosts/live-checker.ts";
import { LiveCheck } from "../../../addon/runs/live-sync.ts";
import { until } from "../../sim/until.ts";
import { ask, SECRET } from "./ask.ts";

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

test("[H21] a check that is cancelled while it asks ends, and another can begin", async () => {
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
