import { loadCauses } from "../parts/parts.ts";
import { isGatewayStatus } from "./answer-error.ts";
import { ClientError } from "./client-error.ts";

/** Waits; rejects with the signal's reason as soon as it aborts. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** The clock and the randomness of retries and of `follow`. */
export interface Pace {
  readonly sleep: Sleep;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Milliseconds since any fixed time. */
  readonly nowMs: () => number;
}

/** A policy for retrying an idempotent call. */
export interface RetryOptions extends Pace {
  readonly signal?: AbortSignal | undefined;
  /** Time for which the relay may be unreachable. */
  readonly giveUpAfterMs: number;
  /** Attempts in a row that a reachable relay may refuse. Default 8. */
  readonly tries?: number;
  /** Called before each wait. */
  readonly onRetry?: ((error: ClientError, waitSeconds: number) => void) | undefined;
  /** Called once a wait is over. */
  readonly onTry?: (() => void) | undefined;
}

const TRIES = 8;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A relay that asks for a longer wait is not retried. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
/** An append that was overtaken, or began at the wrong place: asking for the offset again helps. */
const RESUMABLE = new Set<string>(["UPLOAD_REPLACED", "UPLOAD_OFFSET_DIFFERS"]);
/** Codes of errors without an answer of the relay, which may answer later. */
const UNREACHABLE = new Set<string>([
  "NO_ANSWER",
  "TIMEOUT",
  "TLS_FAILED",
  "FOREIGN_ANSWER",
  "LOCAL_NETWORK_ASKING",
]);

/**
 * Retries a call while its failure is temporary, with exponential backoff from half a second to half a minute
 * and jitter, never before `Retry-After`, and at once when the browser comes online or the page is back. An unreachable
 * relay is retried until `giveUpAfterMs` have passed, a reachable one up to eight times in a row.
 * @param act calls `moved` when it made progress, which resets all counts
 * @throws {ClientError} the last failure
 */
export async function retrying<Result>(
  options: RetryOptions,
  act: (moved: () => void) => Promise<Result>,
): Promise<Result> {
  let failures = 0;
  let refusals = 0;
  let unreachableSinceMs: number | undefined;
  const moved = (): void => {
    failures = 0;
    refusals = 0;
    unreachableSinceMs = undefined;
  };
  for (;;) {
    try {
      return await act(moved);
    } catch (error) {
      if (!isTemporary(error)) throw error;
      const waitMs = waitBefore(failures, error, options.random);
      failures += 1;
      if (isUnreachable(error)) {
        unreachableSinceMs ??= options.nowMs();
        if (options.nowMs() - unreachableSinceMs >= options.giveUpAfterMs) throw error;
      } else {
        unreachableSinceMs = undefined;
        refusals += 1;
        if (refusals >= (options.tries ?? TRIES)) throw error;
      }
      options.onRetry?.(error, waitMs / 1000);
      await backOff(waitMs, error, options);
      options.onTry?.();
    }
  }
}

/** True if the same call may succeed later. */
export function isTemporary(error: unknown): error is ClientError {
  if (!(error instanceof ClientError)) return false;
  if ((error.retryAfterSeconds ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return false;
  const { status = 0, code } = error;
  if (isUnreachable(error) || code === "UPLOAD_BLOCKED" || RESUMABLE.has(code)) return true;
  return status === 408 || status === 429 || (status >= 500 && status !== 507);
}

/** True without an answer of the relay, or for one without a code from a gateway that can't reach it. */
function isUnreachable({ status, code }: ClientError): boolean {
  return UNREACHABLE.has(code) || (code === "RELAY_TROUBLE" && isGatewayStatus(status));
}

async function backOff(
  waitMs: number,
  error: ClientError,
  { sleep, signal }: RetryOptions,
): Promise<void> {
  if (!isUnreachable(error)) return sleep(waitMs, signal);
  const over = new AbortController();
  const stop = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  try {
    const ends = [sleep(waitMs, stop), untilBack(stop)];
    if (error.code === "LOCAL_NETWORK_ASKING") ends.push(untilDecided());
    await Promise.race(ends);
  } finally {
    over.abort();
  }
}

function waitBefore(failures: number, error: ClientError, random: () => number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
  return Math.max(full * (0.5 + random() / 2), (error.retryAfterSeconds ?? 0) * 1000);
}

/** Waits on the real clock. */
const sleepOnClock: Sleep = (milliseconds, signal) =>
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

/** The real clock and real randomness. */
export const REAL_PACE: Pace = {
  sleep: sleepOnClock,
  random: Math.random,
  nowMs: () => performance.now(),
};

/** Resolves when a person answers the browser's question about the local network. */
async function untilDecided(): Promise<void> {
  await (await loadCauses()).untilDecided();
}

/**
 * Resolves when the browser comes online again, or when the page is back: in sight, thawed, or from the browser's cache.
 * Never in Node. Stops listening once the signal aborts.
 */
export function untilBack(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onReturn(resolve, signal));
}

/** Calls `act` when connections may be half open: the browser goes offline or comes online, or the page is back. */
export function onNetworkChange(act: () => void, signal: AbortSignal): void {
  listen("offline", act, signal);
  onReturn(act, signal);
}

function onReturn(act: () => void, signal: AbortSignal): void {
  for (const type of ["online", "pageshow", "resume"]) listen(type, act, signal);
  const look = (): void => {
    const page: unknown = Reflect.get(globalThis, "document");
    if (Reflect.get(Object(page), "visibilityState") === "visible") act();
  };
  listen("visibilitychange", look, signal);
}

/** Listens in a browser, also for what its document gets; Node has no such events. */
function listen(type: string, act: () => void, signal: AbortSignal): void {
  const add: unknown = Reflect.get(globalThis, "addEventListener");
  if (typeof add === "function") {
    add.call(globalThis, type, () => act(), { capture: true, signal });
  }
}
