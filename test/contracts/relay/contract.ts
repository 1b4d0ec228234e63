import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * One promise of a port, as a test. `run` rejects if the store breaks the promise. A case needs no test
 * framework: `for (const { title, run } of recordsContract(open)) test(title, run);`
 */
export interface ContractCase {
  /** Starts with the numbers of the rules that it proves, if there are some: `[P4] a code pairs once`. */
  readonly title: string;
  readonly run: () => Promise<void>;
}

/** A store of its own for one case. Disposing it also ends its instances. */
export interface StoreUnderTest<Instance> extends AsyncDisposable {
  /**
   * Opens an instance. Each one acts like a process of its own on the same store: a case opens one, or two, or
   * disposes the first and opens another, like a relay that restarts.
   */
  open(): Promise<Instance & AsyncDisposable>;
}

/** Makes an empty store for one case. */
export type MakeStore<Instance> = () => Promise<StoreUnderTest<Instance>>;

/** How long the cases of a suite wait. */
export interface WaitOptions {
  /** 15 s unless set. Any process should notice within a second, so this is for slow machines. */
  readonly patienceMs?: number;
}

/** Far beyond the promised second: a loaded machine is slow, and no case measures time. */
export const PATIENCE_MS = 15_000;
const EVERY_MS = 20;

/** Asks again until `isTrue` answers true. Fails after the suite's patience, with the words of `promise`. */
export type Eventually = (
  promise: string,
  isTrue: () => boolean | Promise<boolean>,
) => Promise<void>;

/** `eventually` with a suite's patience; `PATIENCE_MS` unless set. */
export function eventuallyWithin({ patienceMs }: WaitOptions): Eventually {
  return (promise, isTrue) => eventually(promise, isTrue, patienceMs);
}

/** Asks again until `isTrue` answers true. Fails with `promise`, the words of what was to come true. */
export async function eventually(
  promise: string,
  isTrue: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) assert.fail(`Not within ${patienceMs / 1000} s: ${promise}`);
    await sleep(EVERY_MS);
  }
}
