import type { PackageStatus } from "../core/protocol/package-status.ts";
import type { StatusAnswer } from "../core/protocol/public-api.ts";
import type { ClientError } from "./client-error.ts";
import { type RetryOptions, retrying } from "./retry.ts";

/** What `follow` may be told. */
export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** A call got no answer; it is made again after that wait, without end. */
  readonly onRetry?: (error: ClientError, waitSeconds: number) => void;
}

/** Reads the status; with `known` it waits for another one. */
export type ReadStatus = (options: {
  waitSeconds?: number;
  known?: PackageStatus;
  signal?: AbortSignal;
}) => Promise<StatusAnswer>;

/** Below the 30 s at which many a proxy hangs up. */
const WAIT_SECONDS = 25;
/** A relay that does not hold the call is asked this often. */
const SHORTEST_ROUND_MS = 2000;

/** Gives the status now and each time it changes, up to the first that Import or time has settled. */
export async function* followPackage(
  readStatus: ReadStatus,
  pace: Pick<RetryOptions, "sleep" | "random"> & { readonly nowMs: () => number },
  { signal, onRetry }: FollowOptions,
): AsyncGenerator<StatusAnswer, void, undefined> {
  const stop = signal === undefined ? {} : { signal };
  const retry: RetryOptions = { ...pace, signal, onRetry, tries: Number.POSITIVE_INFINITY };
  let known: PackageStatus | undefined;
  for (;;) {
    const begunAt = pace.nowMs();
    const question = known === undefined ? stop : { ...stop, waitSeconds: WAIT_SECONDS, known };
    const answer = await retrying(retry, () => readStatus(question));
    if (answer.status !== known) yield answer;
    else await pace.sleep(Math.max(0, SHORTEST_ROUND_MS - (pace.nowMs() - begunAt)), signal);
    if (answer.status !== "uploading" && answer.status !== "waiting") return;
    known = answer.status;
  }
}
