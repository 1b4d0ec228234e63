import assert from "node:assert/strict";
import type { RelayClock } from "../../../relay/domain/ports.ts";
import {
  type ContractCase,
  type Eventually,
  eventuallyWithin,
  type MakeStore,
  type WaitOptions,
} from "./contract.ts";

/** Makes the cases for a `RelayClock`, in one process and in two on one store (rule J3). */
export function clockContract(
  make: MakeStore<RelayClock>,
  options: WaitOptions = {},
): readonly ContractCase[] {
  return CLOCK_PROMISES.map(({ title, run }) => ({
    title: `[J3] ${title}`,
    run: async () => {
      await using under = await make();
      await run(await under.open(), await under.open(), eventuallyWithin(options));
    },
  }));
}

/** Largest difference between the clocks of two processes. */
const APART_MS = 1000;
const READINGS = 10_000;

/** One promise of the clocks of two processes on any store. */
interface ClockPromise {
  readonly title: string;
  readonly run: (first: RelayClock, second: RelayClock, eventually: Eventually) => Promise<void>;
}

/** The promises of a `RelayClock`, in one process and in two on one store (rule J3). */
export const CLOCK_PROMISES: readonly ClockPromise[] = [
  {
    title: "the relay's time is whole milliseconds since 1970",
    run: async (clock) => {
      const now = clock.now();
      assert.ok(Number.isSafeInteger(now), `${now} is not a whole number.`);
      const year = new Date(now).getUTCFullYear();
      assert.ok(year >= 2020 && year < 3000, `${now} ms since 1970 is in the year ${year}.`);
    },
  },
  {
    title: "the relay's time never goes back, and does not stand still",
    run: async (clock, _, eventually) => {
      const started = clock.now();
      let latest = started;
      const read = () => {
        const now = clock.now();
        assert.ok(now >= latest, `The time went back by ${latest - now} ms.`);
        latest = now;
      };
      const readProven = provenReader(clock);
      for (let reading = 0; reading < READINGS; reading += 1) {
        readProven();
        read();
      }
      await eventually("the time moves on.", () => {
        read();
        return latest > started + 50 && readProven() > 50;
      });
    },
  },
  {
    title: "the times of two processes differ by at most a second",
    run: async (first, second) => {
      for (let reading = 0; reading < 100; reading += 1) {
        // Between two readings of one clock, so that a pause of this process doesn't matter.
        const before = first.now();
        const between = second.now();
        const after = first.now();
        assert.ok(between >= before - APART_MS, `One is ${before - between} ms behind.`);
        assert.ok(between <= after + APART_MS, `One is ${between - after} ms ahead.`);
      }
    },
  },
];

/**
 * Returns a function that reads the proven time of a clock: it never goes back, and is never after the relay's time
 * (rule Z6). The function returns the time that has passed.
 */
function provenReader(clock: RelayClock): () => number {
  const started = clock.confirmedNow();
  let latest = started;
  return () => {
    const proven = clock.confirmedNow();
    assert.ok(Number.isSafeInteger(proven), `${proven} is not a whole number.`);
    assert.ok(proven >= latest, `The proven time went back by ${latest - proven} ms.`);
    const aheadMs = proven - clock.now();
    assert.ok(aheadMs <= 0, `The proven time is ${aheadMs} ms after the relay's time.`);
    latest = proven;
    return latest - started;
  };
}
