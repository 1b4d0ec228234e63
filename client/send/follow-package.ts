import type { PackageStatus } from "../../core/protocol/package-status.ts";
import type { StatusAnswer } from "../../core/protocol/public-api.ts";
import type { ClientError } from "../wire/client-error.ts";
import { type Pace, type RetryOptions, retrying } from "../wire/retry.ts";
import type { RelayCalls } from "./relay-calls.ts";

/** Options of `follow`. */
export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Called when a call failed and will be retried after that wait, without limit. */
  readonly onRetry?: (error: ClientError, waitSeconds: number) => void;
}

/** Less than the 30 s after which many proxies close a connection. */
const WAIT_SECONDS = 25;
/** The polling interval for a relay that doesn't hold the call. */
const SHORTEST_ROUND_MS = 2000;

/** Yields the status now and after each change, until the package is imported or expires. */
export async function* followPackage(
  calls: RelayCalls,
  packageId: string,
  pace: Pace,
  { signal, onRetry }: FollowOptions,
): AsyncGenerator<StatusAnswer, void, undefined> {
  const retry: RetryOptions = { ...pace, signal, onRetry, giveUpAfterMs: Number.POSITIVE_INFINITY };
  let known: PackageStatus | undefined;
  for (;;) {
    const startedAt = pace.nowMs();
    const question = known === undefined ? {} : { waitSeconds: WAIT_SECONDS, known };
    const answer = await retrying(retry, () => calls.status(packageId, { ...question, signal }));
    if (answer.status !== known) yield answer;
    else await pace.sleep(Math.max(0, SHORTEST_ROUND_MS - (pace.nowMs() - startedAt)), signal);
    if (answer.status !== "uploading" && answer.status !== "waiting") return;
    known = answer.status;
  }
}
