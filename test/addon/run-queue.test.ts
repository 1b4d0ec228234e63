import { expect, test } from "vitest";
import { RunQueue } from "../../addon/run-queue.ts";

/** A run that ends when it is told to, or when it is cancelled. */
function openRun() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const seen = { begun: false, cancelled: false };
  const work = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    seen.begun = true;
    return new Promise<string>((fulfil, reject) => {
      signal.addEventListener("abort", () => {
        seen.cancelled = true;
        reject(signal.reason);
      });
      void promise.then(fulfil);
    });
  };
  return { work, seen, end: () => resolve("done") };
}

test("runs follow each other; one that fails holds up no other", async () => {
  const queue = new RunQueue();
  const [first, second] = [openRun(), openRun()];
  const outcomes = [
    queue.run(first.work, undefined),
    queue.run(() => Promise.reject(new Error("broken")), undefined),
    queue.run(second.work, undefined),
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

test("a run is cancelled alone, while it works or waits", async () => {
  const queue = new RunQueue();
  const [working, waiting, next] = [openRun(), openRun(), openRun()];
  const [stopWork, stopWait] = [new AbortController(), new AbortController()];
  const outcomes = [
    queue.run(working.work, stopWork.signal),
    queue.run(waiting.work, stopWait.signal),
    queue.run(next.work, undefined),
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

test("closing cancels what runs and what waits, and takes nothing more", async () => {
  const queue = new RunQueue();
  const [working, waiting] = [openRun(), openRun()];
  const outcomes = [queue.run(working.work, undefined), queue.run(waiting.work, undefined)];
  const settled = Promise.allSettled(outcomes);
  await Promise.resolve();
  await queue.close();
  expect(working.seen.cancelled).toBe(true);
  expect(waiting.seen.begun).toBe(false);
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(queue.run(openRun().work, undefined)).rejects.toThrow("The importer is closing.");
});
