import type { SoundResults } from "../../core/protocol/package-status.ts";
import { type EarlierResults, mergeResults } from "../../core/report/merge-earlier.ts";
import type { Host } from "../hosts/host.ts";
import type { RunRecord } from "./journal-lines.ts";

const NONE: EarlierResults = new Map();

/** Returns the results of a package's earlier runs at one host that still stand beside those of the next run there. */
export function resultsAt(
  { results, importedInto }: Pick<RunRecord, "results" | "importedInto">,
  { name, can }: Pick<Host, "name" | "can">,
  reported: SoundResults | undefined,
): EarlierResults {
  if (can.replacesEarlier === true) return NONE;
  const known = results.get(name);
  if (known !== undefined) return known;
  // A damaged line lost its results: then the relay knows them.
  return importedInto.has(name) ? importedIn(reported) : NONE;
}

/**
 * Returns the results of a package's sounds at any host that still stand beside those of the next run at one: a sound
 * that some host has is imported, in a session rather than only saved, and of two results the newest counts.
 */
export function resultsAnywhere(
  { results }: Pick<RunRecord, "results">,
  { name, can }: Pick<Host, "name" | "can">,
  reported: SoundResults | undefined,
): EarlierResults {
  const standing = [...results].filter(([at]) => can.replacesEarlier !== true || at !== name);
  return standing.length === 0
    ? importedIn(reported)
    : mergeResults(standing.map(([, atHost]) => atHost));
}

/** Returns whether an earlier report must stand instead of one of a run that imported nothing (rule R7). */
export function earlierReportStands(
  { importedInto }: Pick<RunRecord, "importedInto">,
  run: { readonly earlier: EarlierResults; readonly soundIds: readonly string[] | undefined },
): boolean {
  const { earlier, soundIds } = run;
  if (importedInto.size === 0) return false;
  // What was imported is known no longer, or nobody chose: then the run may be about the same sounds.
  if (earlier.size === 0 || soundIds === undefined) return true;
  return soundIds.some((id) => earlier.get(id)?.status === "imported");
}

/**
 * Returns the imported sounds of a relay's report: it may be another importer's or a dismissal's, so only tracks are
 * certain.
 */
function importedIn(reported: SoundResults | undefined): EarlierResults {
  return new Map(Object.entries(reported ?? {}).filter(([, { status }]) => status === "imported"));
}
