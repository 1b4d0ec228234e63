import type { Difference, SoundResult } from "../../../core/protocol/package-status.ts";
import { t } from "../../kit/page-language.ts";
import { type PickRow, usableOf } from "./pick-row.ts";

/** One sound's result, in words. */
export interface ShownResult {
  readonly id: string;
  readonly name: string;
  readonly status: SoundResult["status"];
  /** Why it wasn't imported. */
  readonly error: string | null;
  readonly notes: readonly string[];
  readonly differences: readonly Difference[];
}

/** Returns whether a sound was imported without differences. */
export function isAsAsked({ status, differences }: ShownResult): boolean {
  return status === "imported" && differences.length === 0;
}

/** Returns the results of the row's last import in package order; none for one without an outcome. */
export function soundResultsOf(row: PickRow): readonly ShownResult[] {
  const result = row.past?.result;
  if (result === undefined || "error" in result) return [];
  if ("outcome" in result) {
    return result.outcome.tracks.map(({ id, clip, status, error, notes, differences }) => ({
      id,
      name: clip,
      status,
      error: error === null ? null : ownWords(error),
      notes,
      differences,
    }));
  }
  return (usableOf(row)?.sounds ?? []).map(({ id, name }) => {
    const reported = Object.hasOwn(result.results, id) ? result.results[id] : undefined;
    const error = reported === undefined ? t("panel.sound-no-result") : (reported.error ?? null);
    return {
      id,
      name,
      status: reported?.status ?? "failed",
      error: error === null ? null : ownWords(error),
      notes: reported?.notes ?? [],
      differences: reported?.differences ?? [],
    };
  });
}

/** Two reasons are the same at every host (rule R10); the page has its own words for them. */
function ownWords(error: string): string {
  if (error === NOT_SELECTED) return t("panel.sound-not-selected");
  return error === DISMISSED ? t("panel.sound-dismissed") : error;
}

const NOT_SELECTED = "Not selected in Live.";
const DISMISSED = "Dismissed in Live.";
