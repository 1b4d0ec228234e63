import { DISMISSED, NOT_SELECTED } from "../../../core/protocol/package-status.ts";
import { t } from "../../../web/page-language.ts";

/** Why a sound was not imported: as reported, or in the page's own words, whatever program it was. */
export function formatResultError(error: string): string {
  if (error === NOT_SELECTED) return t("page.notSelected");
  return error === DISMISSED ? t("page.notWanted") : error;
}
