import type { Difference, SoundResult } from "../../../core/protocol/package-status.ts";
import type { PastImport } from "./group-packages.ts";

/** One sound's result. */
export interface ResultRow {
  readonly id: string;
  readonly name: string;
  readonly status: SoundResult["status"];
  readonly track: string | null;
  readonly error: string | null;
  readonly notes: readonly string[];
  readonly differences: readonly Difference[];
}

/** Returns whether a sound was imported without differences. */
export function isAsAsked({ status, differences }: ResultRow): boolean {
  return status === "imported" && differences.length === 0;
}

/** Returns the sounds' results in package order; none for a run without an outcome. */
export function resultRowsOf({ result, offered }: PastImport): readonly ResultRow[] {
  if ("error" in result) return [];
  if ("outcome" in result) {
    return result.outcome.tracks.map(({ id, clip, status, track, error, notes, differences }) => ({
      id,
      name: clip,
      status,
      track: status === "imported" ? track : null,
      error,
      notes,
      differences,
    }));
  }
  return (offered?.sounds ?? []).map(({ id, name }) => {
    const reported = Object.hasOwn(result.results, id) ? result.results[id] : undefined;
    return {
      id,
      name,
      status: reported?.status ?? "failed",
      track: reported?.track ?? null,
      error:
        reported === undefined
          ? "No result was reported for this sound."
          : (reported.error ?? null),
      notes: reported?.notes ?? [],
      differences: reported?.differences ?? [],
    };
  });
}
