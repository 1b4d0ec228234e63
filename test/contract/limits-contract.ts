import { describe, expect, test } from "vitest";
import type { Limits, Window } from "../../relay/domain/limits.ts";
import type { Clock } from "../../relay/domain/ports.ts";
import { MINUTE, T0 } from "./records-under-test.ts";

/** A clock that the test sets. */
export class SetClock implements Clock {
  time = T0;
  now(): number {
    return this.time;
  }
}

const THREE_A_MINUTE: Window = { max: 3, windowMs: MINUTE };

/** The contract suite of `Limits`. */
export function limitsContract(adapter: string, build: (clock: Clock) => Limits): void {
  const start = (window = THREE_A_MINUTE) => {
    const clock = new SetClock();
    const limits = build(clock);
    const at = async (second: number, key = "key") => {
      clock.time = T0 + Math.round(second * 1000);
      return limits.count("calls", key, window);
    };
    return { limits, at };
  };
  describe(`${adapter}: sliding windows`, () => {
    test("[L1] allow the limit in a window, and say how many are left", async () => {
      const { at } = start();
      expect(await at(0)).toEqual({ allowed: true, remaining: 2, retryAfterSeconds: 0 });
      expect(await at(0)).toEqual({ allowed: true, remaining: 1, retryAfterSeconds: 0 });
      expect(await at(20)).toEqual({ allowed: true, remaining: 0, retryAfterSeconds: 40 });
      expect(await at(20)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 40 });
    });

    test("[L1] slide: two half windows never let twice the limit through", async () => {
      const { at } = start();
      for (const second of [50, 55, 59]) expect(await at(second)).toMatchObject({ allowed: true });
      expect(await at(61)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 49 });
      expect(await at(109.999)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
      expect(await at(110)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await at(110)).toMatchObject({ allowed: false, retryAfterSeconds: 5 });
      expect(await at(119)).toMatchObject({ allowed: true, remaining: 1 });
    });

    test("[L1] do not count a refused event", async () => {
      const { at } = start();
      for (const second of [0, 0, 0]) await at(second);
      for (let second = 0; second < 60; second += 1) {
        expect(await at(second)).toMatchObject({ allowed: false });
      }
      expect(await at(60)).toMatchObject({ allowed: true, remaining: 2 });
    });

    test("[L1] allow at most the limit in any window, at any rhythm", async () => {
      const window = { max: 20, windowMs: 10_000 };
      const { at } = start(window);
      const allowed: number[] = [];
      let seed = 42;
      for (let ms = 0; ms < 100_000;) {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        ms += seed % 500;
        const verdict = await at(ms / 1000);
        const counted = allowed.filter((earlier) => earlier > ms - 10_000).length;
        expect(verdict.allowed).toBe(counted < 20);
        if (verdict.allowed) allowed.push(ms);
      }
      expect(allowed.length).toBeGreaterThan(150);
    });

    test("[L1] each event that leaves the window makes room for one, and not for more", async () => {
      const { at } = start({ max: 100, windowMs: MINUTE });
      for (let index = 0; index < 100; index += 1) await at(index / 10);
      for (let index = 0; index < 250; index += 1) {
        const second = 60 * Math.floor(1 + index / 100) + (index % 100) / 10;
        expect(await at(second)).toMatchObject({ allowed: true, remaining: 0 });
        expect(await at(second)).toMatchObject({ allowed: false });
      }
    });

    test("[L1] allow no more than the limit to concurrent events", async () => {
      const { at } = start({ max: 600, windowMs: MINUTE });
      const verdicts = await Promise.all(Array.from({ length: 1000 }, () => at(0)));
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(600);
    });

    test("[P6] count keys and buckets separately", async () => {
      const { at, limits } = start();
      for (const _ of [1, 2, 3]) await at(0, "one");
      expect(await at(0, "one")).toMatchObject({ allowed: false });
      expect(await at(0, "two")).toMatchObject({ allowed: true, remaining: 2 });
      expect(await limits.count("registrations", "one", THREE_A_MINUTE)).toMatchObject({
        allowed: true,
        remaining: 2,
      });
      expect(await at(0, "__proto__")).toMatchObject({ allowed: true, remaining: 2 });
    });

    test("reset a key after a window without events", async () => {
      const { at } = start();
      for (const _ of [1, 2, 3]) await at(0);
      expect(await at(3600)).toMatchObject({ allowed: true, remaining: 2 });
    });

    test("do not change a key in use, however many other keys there are", async () => {
      const { at } = start();
      for (const _ of [1, 2, 3]) await at(0);
      for (let index = 0; index < 30_000; index += 1) await at(30, `other ${index}`);
      expect(await at(59)).toMatchObject({ allowed: false });
    });

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
}
