import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { newRuns } from "./new-store.ts";

/** A run that ends on request, or when it is canceled. */
function openRun() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const seen = { begun: false, canceled: false };
  const work = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    seen.begun = true;
    return new Promise<string>((fulfill, reject) => {
      signal.addEventListener("abort", () => {
        seen.canceled = true;
        reject(signal.reason);
      });
      void promise.then(fulfill);
    });
  };
  return { work, seen, end: () => resolve("done") };
}

test("runs execute one after another, and a failed run doesn't block the next", async () => {
  const runs = newRuns();
  const [first, second] = [openRun(), openRun()];
  const outcomes = [
    runs.runExclusive(first.work),
    runs.runExclusive(() => Promise.reject(new Error("broken"))),
    runs.runExclusive(second.work),
  ];
  await Promise.resolve();
  expect([first.seen.begun, second.seen.begun]).toEqual([true, false]);
  second.end();
  first.end();
  expect(await Promise.allSettled(outcomes)).toMatchObject([
    { value: "done" },
    { reason: { message: "broken" } },
    { value: "done" },
  ]);
});

test("cancels only one run, active or queued", async () => {
  const runs = newRuns();
  const [working, waiting, next] = [openRun(), openRun(), openRun()];
  const [stopWork, stopWait] = [new AbortController(), new AbortController()];
  const outcomes = [
    runs.runExclusive(working.work, stopWork.signal),
    runs.runExclusive(waiting.work, stopWait.signal),
    runs.runExclusive(next.work),
  ];
  await Promise.resolve();
  stopWait.abort(new Error("not wanted"));
  stopWork.abort(new Error("stopped by hand"));
  next.end();
  expect(await Promise.allSettled(outcomes)).toMatchObject([
    { reason: { message: "stopped by hand" } },
    { reason: { message: "not wanted" } },
    { value: "done" },
  ]);
  expect(waiting.seen.begun).toBe(false);
});

test("a run that is canceled while queued rejects at once and never starts", async () => {
  const runs = newRuns();
  const [working, waiting] = [openRun(), openRun()];
  const stopWait = new AbortController();
  const first = runs.runExclusive(working.work);
  const second = runs.runExclusive(waiting.work, stopWait.signal);
  stopWait.abort(new Error("not wanted"));
  await expect(second).rejects.toThrow("not wanted");
  working.end();
  await first;
  await runs.runExclusive(async () => undefined);
  expect(waiting.seen.begun).toBe(false);
});

test("closing cancels active and queued runs and accepts no more", async () => {
  const runs = newRuns();
  const [working, waiting] = [openRun(), openRun()];
  const outcomes = [runs.runExclusive(working.work), runs.runExclusive(waiting.work)];
  const settled = Promise.allSettled(outcomes);
  await Promise.resolve();
  await runs.close();
  expect(working.seen.canceled).toBe(true);
  expect(waiting.seen.begun).toBe(false);
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(runs.runExclusive(openRun().work)).rejects.toThrow("Soundferry is closing.");
});

test("a run that fails ends what it started", async () => {
  const started: AbortSignal[] = [];
  const broken = new Error("broken");
  const work = async (signal: AbortSignal) => {
    started.push(signal);
    throw broken;
  };
  await expect(newRuns().runExclusive(work)).rejects.toBe(broken);
  expect(started[0]?.reason).toBe(broken);
});

test("a run that ended well is not aborted, and leaves its caller's signal alone", async () => {
  const stop = new AbortController();
  const signal = await newRuns().runExclusive(async (given) => given, stop.signal);
  expect(signal.aborted).toBe(false);
  const listeners = getEventListeners(stop.signal, "abort");
  expect(listeners).toEqual([]);
});

test("after the close no work begins, also one that ignores its signal", async () => {
  const runs = newRuns();
  await runs.close();
  let begun = false;
  const run = runs.runExclusive(async () => void (begun = true));
  await expect(run).rejects.toThrow("Soundferry is closing.");
  expect(begun).toBe(false);
});
