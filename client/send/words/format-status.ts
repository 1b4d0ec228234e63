import type { Translate } from "../../../core/messages/translate.ts";
import { formatOutcome, type OutcomeWords } from "../../../core/text/format-outcome.ts";
import type { PackageStatus, SoundResults } from "../../../core/protocol/package-status.ts";

/** What is known about a sent package. */
export interface PackageNews {
  /** null until the relay answers; `withdrawn` by the user; `unknown` when the relay no longer answers. */
  readonly status: PackageStatus | "withdrawn" | "unknown" | null;
  readonly results: SoundResults | null;
  readonly sounds: readonly { readonly id: string }[];
  readonly computerName: string;
  /** Whether the user has dismissed it. */
  readonly isDismissed?: boolean;
}

/** A package's status in one line, and the next step if there is one. */
export interface StatusWords {
  readonly words: string;
  readonly tone: OutcomeWords["tone"] | "quiet";
  readonly next: string | null;
}

/** The status of a sent package as text. */
export function formatPackageStatus(t: Translate, news: PackageNews): StatusWords {
  if (news.isDismissed === true) return { words: t("page.dismissed"), tone: "quiet", next: null };
  const { status, results, sounds, computerName } = news;
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
