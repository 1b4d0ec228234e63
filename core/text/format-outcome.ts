import type { Translate } from "../messages/translate.ts";
import type { SoundResult } from "../protocol/package-status.ts";

/** An import's outcome as a short line, and its tone for styling. */
export interface OutcomeWords {
  readonly words: string;
  readonly tone: "good" | "mixed" | "bad";
}

/**
 * Formats an outcome: `All 10 sounds imported`, `7 of 10 sounds imported`, `None of 10 sounds imported`.
 * @param isSaved set if no sound is in a host's session (`isOnlySaved`): `All 10 sounds saved`
 */
export function formatOutcome(
  t: Translate,
  sounds: readonly Pick<SoundResult, "status">[],
  isSaved = false,
): OutcomeWords {
  const count = sounds.length;
  const imported = sounds.filter(({ status }) => status === "imported").length;
  if (imported === 0) return { words: t("format.none-imported", { count }), tone: "bad" };
  const how = isSaved ? "saved" : "imported";
  if (imported < count) {
    return { words: t(`format.some-${how}`, { imported, count }), tone: "mixed" };
  }
  return { words: t(`format.all-${how}`, { count }), tone: "good" };
}

/** Formats the status label of a sound. */
export function formatStatus(t: Translate, status: SoundResult["status"]): string {
  return t(`format.status-${status}`);
}
