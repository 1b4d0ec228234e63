import type { TakeAnswer } from "../../core/protocol/importer-api.ts";
import { type RelayPort, statusOfError } from "../relay/relay-port.ts";

export interface TakeOptions {
  readonly runId: string;
  /** Takes the lease from any other run (rule S2). */
  readonly isForced: boolean;
  /** This importer's own interrupted runs. */
  readonly stoppedRunIds: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Takes a package's lease for a run (rule S2), also from this importer's interrupted run at another
 * host (rule R7).
 * @throws {Error} from `relay.take`
 */
export async function takePackage(
  relay: Pick<RelayPort, "take">,
  packageId: string,
  { runId, isForced, stoppedRunIds, signal }: TakeOptions,
): Promise<TakeAnswer> {
  const take = (force: boolean) =>
    relay.take(packageId, { run_id: runId, ...(force && { force }) }, signal);
  try {
    return await take(isForced);
  } catch (error) {
    if (!isHeldElsewhere(error)) throw error;
    for (const stopped of stoppedRunIds.filter((id) => id !== runId)) {
      if (await isHeldBy(stopped, relay, packageId, signal)) return take(true);
    }
    throw error;
  }
}

/** The relay renews a lease only for the run that holds it. */
async function isHeldBy(
  runId: string,
  relay: Pick<RelayPort, "take">,
  packageId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await relay.take(packageId, { run_id: runId }, signal);
    return true;
  } catch (error) {
    if (isHeldElsewhere(error)) return false;
    throw error;
  }
}

function isHeldElsewhere(error: unknown): boolean {
  return statusOfError(error) === 409;
}
