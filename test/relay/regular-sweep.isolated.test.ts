import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startOnMemory } from "./memory-relay.ts";
import { until } from "../sim/until.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a sweep that takes long delays the next ones, and they don't queue up", async () => {
  const { relay } = await startOnMemory();
  const { soundKeys } = relay.relay.context;
  const held = Promise.withResolvers<void>();
  const doom = soundKeys.doom.bind(soundKeys);
  let sweeps = 0;
  soundKeys.doom = async (keys) => {
    sweeps += 1;
    await held.promise;
    await doom(keys);
  };
  await vi.advanceTimersByTimeAsync(30_000);
  await until(() => expect(sweeps).toBe(1));
  await vi.advanceTimersByTimeAsync(90_000);
  const stopped = relay[Symbol.asyncDispose]();
  held.resolve();
  await stopped;
  expect(sweeps).toBe(1);
});

test("[K9] sweeps go on after one that failed, and each is counted", async () => {
  const { relay } = await startOnMemory();
  await using _ = relay;
  const { soundKeys, meter } = relay.relay.context;
  const swept = vi.spyOn(meter, "swept");
  let sweeps = 0;
  soundKeys.doom = async () => {
    sweeps += 1;
    throw new Error("The database is away.");
  };
  for (const expected of [1, 2]) {
    await vi.advanceTimersByTimeAsync(30_000);
    await until(() => expect(sweeps).toBe(expected));
    await until(() =>
      expect(relay.logLines.filter((line) => line.includes("sweep failed"))).toHaveLength(expected),
    );
  }
  expect(swept.mock.calls).toEqual([["failed"], ["failed"]]);
  swept.mockRestore();
});
