import { describe, expect, test } from "vitest";
import { MemoryLimits } from "../../../../relay/storage/memory/memory-limits.ts";
import { limitsContract } from "../../../../relay/testing/limits-contract.ts";
import { SetClock } from "../../set-clock.ts";

/** Each process has its own. */
const CASES = limitsContract(async (clock) => ({
  open: async () => Object.assign(new MemoryLimits(clock), { [Symbol.asyncDispose]: noop }),
  [Symbol.asyncDispose]: noop,
}));

for (const { title, run } of CASES) test(title, run);

describe("on a clock that is set back", () => {
  const start = () => {
    const clock = new SetClock();
    const started = clock.time;
    const limits = new MemoryLimits(clock);
    const at = async (second: number) => {
      clock.time = started + Math.round(second * 1000);
      return limits.count("calls", "key", { max: 3, windowMs: 60_000 });
    };
    return { at };
  };

  test("[L1] a clock set back by a window or more gives the whole limit again, once", async () => {
    for (const backSeconds of [60, 3600]) {
      const { at } = start();
      for (const _ of [1, 2, 3]) await at(7200);
      const second = 7200 - backSeconds;
      expect(await at(second)).toEqual({ allowed: true, remaining: 2, retryAfterSeconds: 0 });
      await at(second);
      await at(second);
      const refused = { allowed: false, remaining: 0, retryAfterSeconds: 60 };
      expect(await at(second)).toEqual(refused);
      expect(await at(second + 59.999)).toMatchObject({ allowed: false });
      expect(await at(second + 60)).toMatchObject({ allowed: true, remaining: 2 });
    }
  });

  test("[L1] a clock set back by less keeps counting, and nobody waits two windows", async () => {
    const { at } = start();
    for (const _ of [1, 2, 3]) await at(100);
    expect(await at(40.001)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 120 });
    expect(await at(70)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 90 });
    expect(await at(159.999)).toMatchObject({ allowed: false });
    expect(await at(160)).toMatchObject({ allowed: true, remaining: 2 });
  });

  test("[L1] what is counted after a step back counts too, and is over within two windows", async () => {
    const { at } = start();
    await at(100);
    expect(await at(70)).toMatchObject({ allowed: true, remaining: 1 });
    expect(await at(70)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await at(129.999)).toMatchObject({ allowed: false });
    expect(await at(160)).toMatchObject({ allowed: true, remaining: 2 });
  });
});

test("30,000 other keys don't change one that is in use", async () => {
  const clock = new SetClock();
  const limits = new MemoryLimits(clock);
  const count = (key: string) => limits.count("calls", key, { max: 1, windowMs: 60_000 });
  await count("key");
  clock.time += 30_000;
  for (let index = 0; index < 30_000; index += 1) await count(`other ${index}`);
  clock.time += 29_000;
  expect(await count("key")).toMatchObject({ allowed: false });
});

test("an endless stream of addresses does not fill the memory: the oldest is dropped", async () => {
  const limits = new MemoryLimits(new SetClock());
  const tryFrom = (address: string) =>
    limits.count("pairing-tries", address, { max: 1, windowMs: 60_000 });
  for (let index = 0; index < 50_000; index += 1) await tryFrom(`address ${index}`);
  expect(await tryFrom("address 0")).toMatchObject({ allowed: false });
  await tryFrom("one more");
  expect(await tryFrom("address 1")).toMatchObject({ allowed: false });
  expect(await tryFrom("address 0")).toMatchObject({ allowed: true });
});

test("addresses that are idle are forgotten before one that is in use", async () => {
  const clock = new SetClock();
  const limits = new MemoryLimits(clock);
  const tryFrom = (address: string) =>
    limits.count("pairing-tries", address, { max: 1, windowMs: 60_000 });
  await tryFrom("in use");
  for (let index = 0; index < 9998; index += 1) await tryFrom(`idle ${index}`);
  clock.time += 60_000;
  await tryFrom("in use");
  for (let index = 0; index < 49_000; index += 1) await tryFrom(`new ${index}`);
  expect(await tryFrom("in use")).toMatchObject({ allowed: false });
});

async function noop(): Promise<void> {}
