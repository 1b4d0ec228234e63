import { ClientError } from "./client-error.ts";

/** Waits; rejects with the signal's reason as soon as it aborts. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** How an idempotent call is retried. */
export interface RetryOptions {
  readonly sleep: Sleep;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Attempts in total. */
  readonly tries: number;
  /** Called before each wait. */
  readonly onRetry?: ((error: ClientError, waitSeconds: number) => void) | undefined;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A relay that asks for a longer wait is not retried. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

/**
 * Retries a call while its failure is temporary (no answer, 408, 429, 5xx except 507), with exponential
 * backoff from half a second to half a minute and jitter, and never before `Retry-After`.
 * @throws {ClientError} the last failure
 */
export async function retrying<Result>(
  options: RetryOptions,
  act: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await act();
    } catch (error) {
      if (failures + 1 >= options.tries || !isRetryable(error)) throw error;
      const waitMs = waitBefore(failures, error, options.random);
      options.onRetry?.(error, waitMs / 1000);
      await options.sleep(waitMs, options.signal);
    }
  }
}

function isRetryable(error: unknown): error is ClientError {
  if (!(error instanceof ClientError)) return false;
  if ((error.retryAfterSeconds ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return false;
  const { status, code } = error;
  if (status === undefined) return code === undefined;
  return status === 408 || status === 429 || (status >= 500 && status !== 507);
}

function waitBefore(failures: number, error: ClientError, random: () => number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
  return Math.max(full * (0.5 + random() / 2), (error.retryAfterSeconds ?? 0) * 1000);
}

/** `Sleep` on the real clock. */
export const sleepOnClock: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
