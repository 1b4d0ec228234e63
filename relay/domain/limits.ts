/** At most `max` counted events in any `windowMs` (rule L1). */
export interface Window {
  readonly max: number;
  readonly windowMs: number;
}

/** What the caller is told of its limit. */
export interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, until one more is allowed; 0 where it is now. */
  readonly retryAfterSeconds: number;
}

export type Bucket = "calls" | "pairing-tries" | "registrations";

/**
 * Sliding windows.
 *
 * The adapter's duty: counts an allowed event, never a refused one; forgets idle keys.
 * The caller's duty: one window per bucket for the life of the process.
 */
export interface Limits {
  count(bucket: Bucket, key: string, window: Window): Promise<Verdict>;
}
