import { randomUUID } from "node:crypto";
import { Redis as Client } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { MemoryLimits } from "../../../relay/storage/memory/memory-limits.ts";
import { runningTime } from "../../../relay/storage/system.ts";
import { sharedRedis } from "../../scaled/shared-engines.ts";
import { SetClock } from "../set-clock.ts";
import { openProcesses, PATIENT } from "./opened-limits.ts";
import { compareWithModel } from "./random-limits.ts";
import { mostWithin, spreadCalls } from "./spread-calls.ts";

/** The numbers of a minute, ten times as fast. */
const FAST = { calls: 1500, spanMs: 9000, window: { max: 600, windowMs: 6000 } };

test("[SC16] 1,500 calls over three relays, whose clocks differ by 5 s: never more than 600 in a window", async () => {
  const { url } = await sharedRedis();
  const prefix = randomUUID();
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  const processes = [];
  for (const aheadMs of [-5000, 0, 5000]) {
    const clock = { now: () => runningTime.now() + aheadMs };
    processes.push(
      ...opened.use(await openProcesses(1, { ...PATIENT, url, prefix, clock })).processes,
    );
  }
  const allowed = await spreadCalls(processes, FAST);
  expect(mostWithin(allowed, FAST.window.windowMs)).toBeLessThanOrEqual(600);
  // 600 at once, and those that the first ones made room for.
  expect(allowed.length).toBeGreaterThan(800);
});

test("[SC16] random events over three relays are counted as a plain model counts them", async () => {
  const { url } = await sharedRedis();
  for (const seed of [1, 2, 3, 4, 5]) {
    const clock = new SetClock();
    await using opened = await openProcesses(3, {
      ...PATIENT,
      url,
      clock,
      time: () => clock.now(),
    });
    await compareWithModel(seed, 400, {
      clock,
      model: new MemoryLimits(clock),
      processes: opened.processes,
      repeats: true,
    });
  }
});

test("[SC16] a window is bounded, expires, and its key says nothing of whom it counts", async () => {
  const { url } = await sharedRedis();
  const prefix = randomUUID();
  await using opened = await openProcesses(1, { ...PATIENT, url, prefix });
  const [limits] = opened.processes;
  const token = "c0ffee00c0ffee00";
  for (let index = 0; index < 500; index += 1) {
    await limits?.count("calls", token, { max: 20, windowMs: 3_600_000 });
  }
  const client = new Client(url);
  onTestFinished(() => client.disconnect());
  const keys = (await client.keys(`${prefix}:*`)).filter((key) => !key.endsWith(":probe"));
  expect(keys).toHaveLength(1);
  const [key = ""] = keys;
  expect(key).toMatch(/:[0-9a-f]{32}$/);
  expect(key).not.toContain(token);
  expect(await client.llen(key)).toBe(20);
  const expiry = await client.pttl(key);
  expect(expiry).toBeGreaterThan(0);
  expect(expiry).toBeLessThanOrEqual(3_600_000);
});

test("[SC16] a Redis that has forgotten the script gets it again", async () => {
  const { url } = await sharedRedis();
  await using opened = await openProcesses(2, { ...PATIENT, url });
  const client = new Client(url);
  onTestFinished(() => client.disconnect());
  const window = { max: 4, windowMs: 60_000 };
  const left: number[] = [];
  for (const limits of [...opened.processes, ...opened.processes]) {
    await client.script("FLUSH");
    left.push((await limits.count("calls", "token", window)).remaining);
  }
  expect(left).toEqual([3, 2, 1, 0]);
});
