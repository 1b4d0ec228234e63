import { setTimeout as sleep } from "node:timers/promises";

/** The timing of a notifier, in milliseconds. */
export interface NotifierTiming {
  /** Time in which writes share one statement and one NOTIFY. */
  readonly batchMs: number;
  /** Shortest time between two looks into the outbox. */
  readonly spacingMs: number;
  /** Time until a look without a NOTIFY, whose sender may have been killed before it. */
  readonly lookMs: number;
  /** The same time while nothing arrives over LISTEN. */
  readonly pollMs: number;
  /** Time within which a NOTIFY to itself must arrive. */
  readonly checkMs: number;
  /** Time between two such checks. */
  readonly recheckMs: number;
  /** Shortest and longest time between two attempts to LISTEN. */
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

/** Waits. Resolves after that time, or at once when the signal aborts. Keeps no process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
