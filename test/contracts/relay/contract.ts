import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * One promise of a port, as a test. `run` rejects if the store breaks the promise. A case needs no test
 * framework: `for (const { title, run } of recordsContract(open)) test(title, run);`
 */
export interface ContractCase {
  /**
   * Title of the case. It starts with the numbers of the rules that the case proves, if there are some: `[P4] a code
   * pairs once`.
   */
  readonly title: string;
  readonly run: () => Promise<void>;
}

/** A separate store for one case. Disposing it also ends its instances. */
export interface StoreUnderTest<Instance> extends AsyncDisposable {
  /**
   * Opens an instance. Each one acts like a separate process on the same store: a case opens one, or two, or disposes
   * the first and opens another, like a relay that restarts.
   */
  open(): Promise<Instance & AsyncDisposable>;
}

/** Makes an empty store for one case. */
export type MakeStore<Instance> = () => Promise<StoreUnderTest<Instance>>;

/** Waiting times of the cases of a suite. */
export interface WaitOptions {
  /** Longest wait; 15 s unless set. Any process should notice within a second, so this is for slow machines. */
  readonly patienceMs?: number;
}

/**
 * Longest wait by default. It is far beyond the promised second, because a loaded machine is slow, and no case
 * measures time.
 */
export const PATIENCE_MS = 15_000;
const EVERY_MS = 20;

/** Asks again until `isTrue` answers true. Fails after the suite's patience, with the words of `promise`. */
export type Eventually = (
  promise: string,
  isTrue: () => boolean | Promise<boolean>,
) => Promise<void>;

/** Returns `eventually` with a suite's patience; `PATIENCE_MS` unless set. */
export function eventuallyWithin({ patienceMs }: WaitOptions): Eventually {
  return (promise, isTrue) => eventually(promise, isTrue, patienceMs);
}

/** Asks again until `isTrue` answers true. Fails with `promise`, the description of the expected state. */
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
