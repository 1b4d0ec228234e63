import { setTimeout as sleep } from "node:timers/promises";

/** When a notifier does what, in milliseconds. */
export interface NotifierTiming {
  /** Writes within it share one row statement and one NOTIFY. */
  readonly batchMs: number;
  /** At least so long between two looks into the outbox. */
  readonly spacingMs: number;
  /** A look without a NOTIFY: its sender may have been killed before it. */
  readonly lookMs: number;
  /** The same while nothing comes over LISTEN. */
  readonly pollMs: number;
  /** A NOTIFY to itself must come within it. */
  readonly checkMs: number;
  /** Between two such checks. */
  readonly recheckMs: number;
  /** Between two attempts to LISTEN: from the shortest to the longest. */
  readonly retryMs: readonly [number, number];
  readonly sweepMs: number;
}

export const TIMING: NotifierTiming = {
  batchMs: 5,
  spacingMs: 5,
  lookMs: 500,
  pollMs: 250,
  checkMs: 2_000,
  recheckMs: 10_000,
  retryMs: [250, 2_000],
  sweepMs: 20_000,
};

/** Resolves after that time, or at once when the signal aborts. Keeps no process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
