import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { CheckTalk, LiveChecker } from "../../../addon/hosts/live-setup.ts";
import { LiveCheck } from "../../../addon/runs/live-sync.ts";
import type { LiveReport } from "../../../core/protocol/live-report.ts";

const QUESTION = { id: "playing", text: "Press Play.", answer: "done" } as const;
const IDLE = { status: "idle", done: 0, total: 0, ask: null, error: null, report: null };
const REPORT: LiveReport = {
  report: "soundferry-live-check",
  format: 1,
  soundferry: "1.0.0",
  live: "12.1.5",
  edition: "Suite",
  system: "darwin arm64",
  tick_ms: 100,
  checks: [],
  stays: 0,
};

/** A check that a test answers as Live would; its work waits until no import runs. */
function setUp(checker: LiveChecker) {
  const queue: (() => void)[] = [];
  const check = new LiveCheck(checker, async (work) => {
    await new Promise<void>((resolve) => queue.push(resolve));
    return work();
  });
  const seen: unknown[] = [];
  const leave = check.subscribe(() => seen.push(check.state));
  return { check, seen, leave, turn: () => queue.shift()?.() };
}

test("[H21] a check waits for the import that runs, and ends with its report", async () => {
  const talks: CheckTalk[] = [];
  const { check, seen, turn } = setUp(async (talk) => {
    talks.push(talk);
    talk.onProgress(1, 2);
    return REPORT;
  });
  expect(check.state).toEqual(IDLE);
  expect(check.begin()).toBe(true);
  expect(check.begin()).toBe(false);
  const running = { ...IDLE, status: "running" };
  expect([check.state, talks]).toEqual([running, []]);
  turn();
  await setImmediate();
  expect(talks[0]?.signal.aborted).toBe(false);
  expect(seen).toEqual([
    running,
    { ...running, done: 1, total: 2 },
    { ...IDLE, status: "done", done: 1, total: 2, report: REPORT },
  ]);
});

test("[H21] a question is shown until it is answered, and the answer is the check's", async () => {
  const answers: unknown[] = [];
  const { check, turn } = setUp(async ({ ask }) => {
    answers.push(await ask(QUESTION));
    answers.push(await ask({ ...QUESTION, id: "tracks", answer: "number" }));
    return REPORT;
  });
  expect(check.answer("playing", true)).toBe(false);
  check.begin();
  turn();
  await setImmediate();
  expect(check.state.ask).toEqual(QUESTION);
  expect(check.answer("tracks", true)).toBe(false);
  expect(check.answer("playing", true)).toBe(true);
  expect(check.state.ask).toBeNull();
  await setImmediate();
  expect(check.state.ask?.id).toBe("tracks");
  expect(check.answer("tracks", null)).toBe(true);
  await setImmediate();
  expect(answers).toEqual([true, null]);
  expect(check.state).toMatchObject({ status: "done", ask: null });
});

test("[H21] a check that fails says why, and the next one starts from the beginning", async () => {
  const box = { isOpen: false };
  const { check, turn } = setUp(async ({ onProgress }) => {
    onProgress(3, 4);
    if (!box.isOpen) throw new Error("Live was closed.");
    return REPORT;
  });
  check.begin();
  turn();
  await setImmediate();
  expect(check.state).toEqual({
    ...IDLE,
    status: "failed",
    done: 3,
    total: 4,
    error: "Live was closed.",
  });
  box.isOpen = true;
  expect(check.begin()).toBe(true);
  expect(check.state).toEqual({ ...IDLE, status: "running" });
  turn();
  await setImmediate();
  expect(check.state).toMatchObject({ status: "done", error: null });
});

test("[H21] a cancel ends a check that waits for an answer; the check after it isn't canceled", async () => {
  const signals: AbortSignal[] = [];
  const { check, turn, seen, leave } = setUp(async ({ ask, signal }) => {
    signals.push(signal);
    await ask(QUESTION);
    signal.throwIfAborted();
    return REPORT;
  });
  check.begin();
  turn();
  await setImmediate();
  check.cancel();
  await setImmediate();
  const error = "The check was cancelled. Everything it made was removed.";
  expect(check.state).toMatchObject({ status: "failed", ask: null, error });
  leave();
  const { length } = seen;
  check.begin();
  turn();
  await setImmediate();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(seen).toHaveLength(length);
  await check.close();
  expect(check.state).toMatchObject({ status: "failed", error });
});

test("[H21] an importer without a way into Live begins none, and has none to end", async () => {
  const check = new LiveCheck(undefined, (work) => work());
  expect(check.begin()).toBe(false);
  await check.close();
  expect(check.state).toEqual(IDLE);
});
