import type { SoundResult } from "../protocol/package-status.ts";
import { countOf } from "../text/count-of.ts";

/** An import's outcome as a short line, and its tone for styling. */
export interface OutcomeWords {
  readonly words: string;
  readonly tone: "good" | "mixed" | "bad";
}

/** `All 10 sounds imported`, `7 of 10 sounds imported`, `None of 10 sounds imported`. */
export function formatOutcome(sounds: readonly Pick<SoundResult, "status">[]): OutcomeWords {
  const imported = sounds.filter(({ status }) => status === "imported").length;
  const all = countOf(sounds.length, "sound");
  if (imported === 0) {
    const words = sounds.length === 1 ? "The sound was not imported" : `None of ${all} imported`;
    return { words, tone: "bad" };
  }
  if (imported < sounds.length) return { words: `${imported} of ${all} imported`, tone: "mixed" };
  return { words: sounds.length === 1 ? "1 sound imported" : `All ${all} imported`, tone: "good" };
}

/** The status label of a sound. */
export function formatStatus(status: SoundResult["status"]): string {
  return { imported: "Imported", skipped: "Skipped", failed: "Failed" }[status];
}
