import { expect, test } from "vitest";
import { Refresher } from "../../../core/importer/refresher.ts";
import { ManualTimers } from "../../addon/manual-timers.ts";
import { until } from "../../sim/until.ts";

function refresher() {
  const timers = new ManualTimers();
  const troubles: unknown[] = [];
  const readings: PromiseWithResolvers<void>[] = [];
  const refresher = new Refresher({
    read: () => {
      const reading = Promise.withResolvers<void>();
      readings.push(reading);
      return reading.promise;
    },
    onTrouble: (error) => troubles.push(error),
    timers,
  });
  return { refresher, timers, troubles, readings };
}

test("[I3] many requests during a read lead to one more read, after it", async () => {
  const { refresher: lists, readings } = refresher();
  for (let count = 0; count < 5; count += 1) lists.refresh();
  expect(readings).toHaveLength(1);
  readings[0]?.resolve();
  await until(() => readings.length === 2);
  readings[1]?.resolve();
  await lists.stop();
  expect(readings).toHaveLength(2);
});

test("[I3] reports a failed read and retries it after 5 s, or on the next request", async () => {
  const { refresher: lists, timers, troubles, readings } = refresher();
  lists.refresh();
  readings[0]?.reject(new Error("no relay"));
  await until(() => troubles.length === 1);
  expect(timers.remaining).toEqual([5000]);
  timers.advance(5000);
  expect(readings).toHaveLength(2);
  readings[1]?.reject(new Error("no relay"));
  await until(() => troubles.length === 2);
  lists.refresh();
  expect(timers.remaining).toEqual([]);
  expect(readings).toHaveLength(3);
  readings[2]?.resolve();
  await lists.stop();
});

test("stopping waits for the current read and starts no other", async () => {
  const { refresher: lists, timers, troubles, readings } = refresher();
  lists.refresh();
  lists.refresh();
  const stopped = lists.stop();
  readings[0]?.reject(new Error("closed"));
  await stopped;
  lists.refresh();
  expect([readings.length, troubles.length, timers.remaining.length]).toEqual([1, 0, 0]);
});
