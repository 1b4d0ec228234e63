/** At most `max` counted events in any `windowMs` (rule L1). */
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

export type Bucket = "calls" | "pairing-tries" | "registrations";

/**
 * Sliding-window rate limits.
 *
 * The adapter counts an allowed event, never a refused one, and forgets idle keys.
 * The caller uses one window per bucket for the life of the process.
 */
export interface Limits {
  count(bucket: Bucket, key: string, window: Window): Promise<Verdict>;
}
