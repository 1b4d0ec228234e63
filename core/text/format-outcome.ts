import type { Translate } from "../messages/translate.ts";
import type { SoundResult } from "../protocol/package-status.ts";

/** An import's outcome as a short line, and its tone for styling. */
export interface OutcomeWords {
  readonly words: string;
  readonly tone: "good" | "mixed" | "bad";
}

/** Formats an outcome: `All 10 sounds imported`, `7 of 10 sounds imported`, `None of 10 sounds imported`. */
export function formatOutcome(
  t: Translate,
  sounds: readonly Pick<SoundResult, "status">[],
): OutcomeWords {
  const count = sounds.length;
  const imported = sounds.filter(({ status }) => status === "imported").length;
  if (imported === 0) return { words: t("format.none-imported", { count }), tone: "bad" };
  if (imported < count) {
    return { words: t("format.some-imported", { imported, count }), tone: "mixed" };
  }
  return { words: t("format.all-imported", { count }), tone: "good" };
}

/** Formats the status label of a sound. */
export function formatStatus(t: Translate, status: SoundResult["status"]): string {
  return t(`format.status-${status}`);
}
