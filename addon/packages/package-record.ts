import { SAVING_HOST, type SoundResult } from "../../core/protocol/package-status.ts";
import { mergeResults } from "../../core/report/merge-earlier.ts";
import type { Reporter } from "../relay/relay-port.ts";

/** The finished runs of a package, from its journal. */
export interface PackageRecord {
  /** Names of the hosts that hold at least one of the package's sounds. */
  readonly importedInto: ReadonlySet<string>;
  /** By host name, the latest last, the newest result of each sound that a run there was about. */
  readonly results: ReadonlyMap<string, ReadonlyMap<string, SoundResult>>;
  /** The relay that earlier runs reported to; absent for a local package. */
  readonly reportsTo?: Reporter | undefined;
}

/**
 * Checks whether a package waits to be imported into a host (rule R7). One that was saved waits no longer, at any host,
 * and what some host has isn't saved once more unasked (rule R16).
 */
export function isNewTo({ importedInto }: PackageRecord, hostName: string): boolean {
  if (hostName === SAVING_HOST) return importedInto.size === 0;
  return !importedInto.has(hostName) && !importedInto.has(SAVING_HOST);
}

/** Returns the results to show while a host is the current one: its own, over those of what was saved. */
export function resultsToShow(
  { results }: PackageRecord,
  hostName: string,
): ReadonlyMap<string, SoundResult> | undefined {
  const shown =
    hostName === SAVING_HOST
      ? mergeResults(results.values())
      : new Map([...(results.get(SAVING_HOST) ?? []), ...(results.get(hostName) ?? [])]);
  return shown.size === 0 ? undefined : shown;
}
