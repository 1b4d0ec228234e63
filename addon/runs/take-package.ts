import { type RelayPort, statusOfError } from "../relay/relay-port.ts";

export interface TakeOptions {
  readonly runId: string;
  /** Takes it from whoever holds it (rule S2). */
  readonly isForced: boolean;
  /** Runs of this importer's own that stopped; none of them works. */
  readonly stoppedRunIds: readonly string[];
}

/**
 * Takes a package for a run (rule S2), also from a run of the importer's own that stopped at another
 * host and holds it still (rule R7).
 * @throws {Error} what `take` rejects with
 */
export async function takePackage(
  relay: Pick<RelayPort, "take">,
  packageId: string,
  { runId, isForced, stoppedRunIds }: TakeOptions,
): Promise<void> {
  const take = (force: boolean) =>
    relay.take(packageId, { run_id: runId, ...(force && { force }) });
  try {
    await take(isForced);
  } catch (error) {
    if (!isHeldElsewhere(error)) throw error;
    for (const stopped of stoppedRunIds.filter((id) => id !== runId)) {
      if (await isHeldBy(stopped, relay, packageId)) return void (await take(true));
    }
    throw error;
  }
}

/** The relay lets a run take again what it holds, and no other run. */
async function isHeldBy(
  runId: string,
  relay: Pick<RelayPort, "take">,
  packageId: string,
): Promise<boolean> {
  try {
    await relay.take(packageId, { run_id: runId });
    return true;
  } catch (error) {
    if (isHeldElsewhere(error)) return false;
    throw error;
  }
}

function isHeldElsewhere(error: unknown): boolean {
  return statusOfError(error) === 409;
}
