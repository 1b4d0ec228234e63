import type { Translate } from "../../../core/messages/translate.ts";
import { DISMISSED, NOT_SELECTED } from "../../../core/protocol/package-status.ts";

/** Why a sound was not imported: as reported, or in the page's own words, whatever program it was. */
export function formatResultError(t: Translate, error: string): string {
  if (error === NOT_SELECTED) return t("page.notSelected");
  return error === DISMISSED ? t("page.notWanted") : error;
}
