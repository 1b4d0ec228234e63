import { describe, expect, test } from "vitest";
import { MemoryLimits } from "../../../relay/limits/memory-limits.ts";
import { limitsContract } from "../../contracts/relay/limits-contract.ts";
import { SetClock } from "../set-clock.ts";

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
      const window = { max: 3, windowMs: 60_000 };
      const taken = await limits.take([{ bucket: "calls", key: "key", window }]);
      const { allowed, remaining, retryAfterSeconds } = taken;
      return { allowed, remaining, retryAfterSeconds };
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

test("[L1] an event between two milliseconds leaves its window no earlier, and one in the same is refunded alone", async () => {
  const clock = new SetClock();
  const started = clock.time;
  const limits = new MemoryLimits(clock);
  const at = async (ms: number) => {
    clock.time = started + ms;
    const window = { max: 3, windowMs: 60_000 };
    return limits.take([{ bucket: "calls", key: "key", window }]);
  };
  await at(0.2);
  const refunded = await at(0.7);
  await at(0.9);
  expect(await at(1)).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
  await refunded.refund();
  await refunded.refund();
  expect(await at(30_000)).toMatchObject({ allowed: true, remaining: 0 });
  expect(await at(60_000.1)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
  expect(await at(60_001)).toMatchObject({ allowed: true, remaining: 1 });
});

test("30,000 other keys don't change one that is in use", async () => {
  const clock = new SetClock();
  const limits = new MemoryLimits(clock);
  const count = (key: string) =>
    limits.take([{ bucket: "calls", key, window: { max: 1, windowMs: 60_000 } }]);
  await count("key");
  clock.time += 30_000;
  for (let index = 0; index < 30_000; index += 1) await count(`other ${index}`);
  clock.time += 29_000;
  expect(await count("key")).toMatchObject({ allowed: false });
});

describe("a full table", () => {
  const ONCE = { max: 1, windowMs: 60_000 };
  const tryOf = (key: string, parents: readonly string[]) =>
    ({ bucket: "pairing-tries", key, window: ONCE, parents }) as const;
  const networkOf = (index: number) => `network ${Math.floor(index / 1000)}`;
  const fill = async (limits: MemoryLimits) => {
    for (let index = 0; index < 50_000; index += 1) {
      await limits.take([tryOf(`address ${index}`, [networkOf(index)])]);
    }
  };

  test("[L8] forgets no address that counts, and counts a new one on its network, then on one for all", async () => {
    const limits = new MemoryLimits(new SetClock());
    const tryFrom = (address: string, parents: readonly string[]) =>
      limits.take([tryOf(address, parents)]);
    await fill(limits);
    // Eight new addresses of one network share what its network has, and a ninth finds nothing left.
    for (let index = 0; index < 8; index += 1) {
      expect(await tryFrom(`new ${index}`, ["new network"])).toMatchObject({ allowed: true });
    }
    expect(await tryFrom("new 8", ["new network"])).toMatchObject({ allowed: false });
    expect(await tryFrom("elsewhere", ["another network"])).toMatchObject({ allowed: true });
    for (const index of [0, 1, 25_000, 49_999]) {
      expect(await tryFrom(`address ${index}`, ["any"])).toMatchObject({ allowed: false });
    }
    const inAll = [];
    for (let index = 0; index < 20; index += 1) inAll.push(await tryFrom(`lone ${index}`, []));
    expect(inAll.filter(({ allowed }) => allowed)).toHaveLength(8);
  });

  test("[L8] has room again as soon as addresses are idle", async () => {
    const clock = new SetClock();
    const limits = new MemoryLimits(clock);
    await fill(limits);
    clock.time += 60_000;
    const tryFrom = (address: string) => limits.take([tryOf(address, ["one network"])]);
    for (let index = 0; index < 20; index += 1) {
      expect(await tryFrom(`new ${index}`)).toMatchObject({ allowed: true });
    }
  });

  test("[L8] is not filled by events that are refused", async () => {
    const limits = new MemoryLimits(new SetClock());
    const all = { bucket: "pairing-tries", key: "all", window: { max: 2, windowMs: 3_600_000 } };
    const tryFrom = (key: string) =>
      limits.take([
        { bucket: "pairing-tries", key, window: ONCE },
        { ...all, bucket: "pairing-tries" },
      ]);
    await tryFrom("first");
    for (let index = 0; index < 60_000; index += 1) {
      if (index === 1) await tryFrom("second");
      await tryFrom(`refused ${index}`);
    }
    const own = await limits.take([tryOf("first", ["network"])]);
    const fresh = await limits.take([tryOf("fresh", ["network"])]);
    const next = await limits.take([tryOf("fresh", ["network"])]);
    expect([own.allowed, fresh.allowed, next.allowed]).toEqual([false, true, false]);
  });
});

test("addresses that are idle are forgotten before one that is in use", async () => {
  const clock = new SetClock();
  const limits = new MemoryLimits(clock);
  const tryFrom = (address: string) =>
    limits.take([{ bucket: "pairing-tries", key: address, window: { max: 1, windowMs: 60_000 } }]);
  await tryFrom("in use");
  for (let index = 0; index < 9998; index += 1) await tryFrom(`idle ${index}`);
  clock.time += 60_000;
  await tryFrom("in use");
  for (let index = 0; index < 49_000; index += 1) await tryFrom(`new ${index}`);
  expect(await tryFrom("in use")).toMatchObject({ allowed: false });
});

async function noop(): Promise<void> {}
