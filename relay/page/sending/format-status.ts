import { formatOutcome } from "../../../core/page/format-outcome.ts";
import type { ClipState } from "../../../web/clip-list/clip-row.ts";
import { t } from "../../../web/page-language.ts";
import type { SentItem } from "./sent-item.ts";

/** A package's status in one line, and the next step if there is one. */
export interface StatusWords {
  readonly words: string;
  readonly tone: ClipState["tone"];
  readonly next: string | null;
}

/** The status of a sent package as text. */
export function formatStatusOf(item: SentItem): StatusWords {
  if (item.isDismissed) return { words: t("page.dismissed"), tone: "quiet", next: null };
  const { status, results, sounds, computerName } = item;
  switch (status) {
    case null:
      return { words: t("page.checking"), tone: "quiet", next: null };
    case "uploading":
      return { words: t("page.incomplete"), tone: "quiet", next: null };
    case "waiting": {
      const next = t("page.whereToImport", { computer: computerName });
      return { words: t("page.waiting"), tone: "quiet", next };
    }
    case "withdrawn":
      return { words: t("page.withdrawn"), tone: "quiet", next: null };
    case "unknown":
      return { words: t("page.notFollowed"), tone: "quiet", next: null };
    case "expired":
      return { words: t("page.expired"), tone: "bad", next: t("page.sendAgain") };
    case "imported":
    case "partial":
    case "failed": {
      const outcomes = sounds.map(
        ({ id }) => ({ status: results?.[id]?.status ?? "failed" }) as const,
      );
      return { ...formatOutcome(t, outcomes), next: null };
    }
  }
}
