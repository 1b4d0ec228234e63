import type { Translate } from "../messages/translate.ts";

/** Says how many tracks and scenes Live didn't remove. */
export function formatStays(t: Translate, stays: number): string {
  return t("format.stays", { count: stays });
}
