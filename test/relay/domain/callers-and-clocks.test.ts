import { expect, test } from "vitest";
import { callingImporter, strangerAt } from "../../../relay/domain/caller.ts";
import { noticesJumps } from "../../../relay/domain/ports/clock.ts";
import { Wait } from "../../../relay/domain/wait.ts";
import type { DeviceRecord } from "../../../relay/domain/ports.ts";

test("[Z6] a clock may notice jumps", () => {
  const clock = { now: () => 7, confirmedNow: () => 5 };
  const watchful = { ...clock, findJump: () => undefined, restart: () => undefined };
  expect([clock, watchful].map(noticesJumps)).toEqual([false, true]);
});

test("[L5][L7] an importer counts for its computer and its address, and is proven by its imports", () => {
  const deviceOf = (imports: DeviceRecord["imports"]) =>
    callingImporter({ deviceId: "dev_a", imports } as DeviceRecord, "203.0.113.7");
  const stranger = strangerAt("203.0.113.7");
  expect(deviceOf(undefined)).toEqual({ ...stranger, deviceId: "dev_a" });
  expect(deviceOf({ days: 3, firstDay: 1, lastDay: 9 }).isProven).toBe(true);
  expect(stranger).toEqual({
    address: "203.0.113.7",
    networks: ["203.0.113.0/24"],
    isProven: false,
  });
});

test("a wait is over at its end, and sleeps no more then", async () => {
  const stop = new AbortController();
  using wait = new Wait(60_000, stop.signal);
  expect(wait.isOver).toBe(false);
  wait.lookAgain();
  await wait.sleep(60_000);
  expect(wait.isOver).toBe(false);
  const sleeping = wait.sleep(60_000);
  stop.abort();
  await sleeping;
  await wait.sleep(60_000);
  await wait.sleep(60_000);
  expect(wait.isOver).toBe(true);
});
