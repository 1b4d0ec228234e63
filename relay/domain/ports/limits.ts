import type { Eventual } from "../../../core/eventual.ts";

/** A sliding window: at most `max` counted events in any `windowMs` (rule L1). */
export interface Window {
  readonly max: number;
  readonly windowMs: number;
}

/** The answer to one counted try. */
export interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, until the next event is allowed; 0 when it is allowed now. */
  readonly retryAfterSeconds: number;
}

/** Events of which all together have only so many (rule L13). */
export type SharedEvent =
  | "registrations"
  | "announcements"
  | "codes"
  | "pairing-tries"
  | "pairing-tries-attacked";

/** Each tier of a shared event has a bucket of its own, so that no tier's keys take another's room. */
export type Bucket =
  | "calls"
  | "senders"
  | "pairing-tries-own"
  | SharedEvent
  | `${SharedEvent} parts`
  | `${SharedEvent} networks`
  | `${SharedEvent} newcomers`;

/** One window that an event counts in. */
export interface CountedIn {
  readonly bucket: Bucket;
  readonly key: string;
  readonly window: Window;
  /** Keys that are counted instead while there is no room for a new key, from narrow to wide (rule L8). */
  readonly parents?: readonly string[];
}

/** The answer to an event that counts in several windows. */
export interface TakenVerdict extends Verdict {
  /** The answer of each window, in their order. Of a refused event it says only which are full, and for how long. */
  readonly each: readonly Verdict[];
  /** Undoes the counting, in every window; nothing if the event was refused, or was given back before. */
  refund(): Promise<void>;
}

/**
 * Sliding-window rate limits.
 *
 * The adapter counts an allowed event, never a refused one. It forgets idle keys, and never one that has counted events
 * in its window: when it has no room for a new key, it counts the first of its parents that it has room for, each in
 * `NETWORK_FACTOR` times the window of the one before, and last one key for all (rule L8). Spans of different length
 * count separately, also in one bucket. The caller uses one window per key and span for the life of the process.
 */
export interface Limits {
  /**
   * Counts one event in several windows at once, in all of them or in none. A call counts in one window alone. Of many
   * events at the same time, no more are allowed than each window has room for. `remaining` is that of the fullest
   * window, and the wait the longest one. What is counted in memory answers at once.
   */
  take(windows: readonly CountedIn[]): Eventual<TakenVerdict>;
}
