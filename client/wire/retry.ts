import { ClientError } from "./client-error.ts";
import { untilOnline } from "./until-online.ts";

/** Waits; rejects with the signal's reason as soon as it aborts. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** How an idempotent call is retried. */
export interface RetryOptions {
  readonly sleep: Sleep;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Milliseconds since any fixed time. */
  readonly nowMs: () => number;
  readonly signal?: AbortSignal | undefined;
  /** How long the relay may be out of reach. */
  readonly giveUpAfterMs: number;
  /** Called before each wait. */
  readonly onRetry?: ((error: ClientError, waitSeconds: number) => void) | undefined;
  /** Called once a wait is over. */
  readonly onTry?: (() => void) | undefined;
}

/** Attempts that a relay that can be reached may refuse in a row. */
const TRIES = 8;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A relay that asks for a longer wait is not retried. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
/** An append that was overtaken, or began at the wrong place: asking for the offset again helps. */
const RESUMABLE = new Set<string | undefined>(["UPLOAD_REPLACED", "UPLOAD_OFFSET_DIFFERS"]);

/**
 * Retries a call while its failure is temporary, with exponential backoff from half a second to half a minute
 * and jitter, never before `Retry-After`, and at once when the browser comes online. While the relay is out of
 * reach, until `giveUpAfterMs` have passed; otherwise up to eight times in a row.
 * @param act calls `moved` when it got further than before: all counts begin again
 * @throws {ClientError} the last failure
 */
export async function retrying<Result>(
  options: RetryOptions,
  act: (moved: () => void) => Promise<Result>,
): Promise<Result> {
  let failures = 0;
  let refusals = 0;
  let awaySinceMs: number | undefined;
  const moved = (): void => {
    failures = 0;
    refusals = 0;
    awaySinceMs = undefined;
  };
  for (;;) {
    try {
      return await act(moved);
    } catch (error) {
      if (!isTemporary(error)) throw error;
      const waitMs = waitBefore(failures, error, options.random);
      failures += 1;
      if (isOutOfReach(error)) {
        awaySinceMs ??= options.nowMs();
        if (options.nowMs() - awaySinceMs >= options.giveUpAfterMs) throw error;
      } else {
        awaySinceMs = undefined;
        refusals += 1;
        if (refusals >= TRIES) throw error;
      }
      options.onRetry?.(error, waitMs / 1000);
      await pause(waitMs, error, options);
      options.onTry?.();
    }
  }
}

/** Whether the same call can succeed later: not the call is at fault, but the moment. */
export function isTemporary(error: unknown): error is ClientError {
  if (!(error instanceof ClientError)) return false;
  if ((error.retryAfterSeconds ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return false;
  const { status, code } = error;
  if (status === undefined) return code === undefined;
  if (RESUMABLE.has(code)) return true;
  return status === 408 || status === 429 || (status >= 500 && status !== 507);
}

/** No answer, or one from a proxy that can't reach the relay, which has none of the relay's codes. */
function isOutOfReach({ status, code }: ClientError): boolean {
  return code === undefined && (status === undefined || (status > 501 && status < 505));
}

async function pause(
  waitMs: number,
  error: ClientError,
  { sleep, signal }: RetryOptions,
): Promise<void> {
  if (!isOutOfReach(error)) return sleep(waitMs, signal);
  const over = new AbortController();
  const stop = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  try {
    await Promise.race([sleep(waitMs, stop), untilOnline(stop)]);
  } finally {
    over.abort();
  }
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
