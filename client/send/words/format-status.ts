import type { Translate } from "../../../core/messages/translate.ts";
import {
  DISMISSED,
  isOnlySaved,
  NOT_SELECTED,
  type PackageStatus,
  type SoundResults,
} from "../../../core/protocol/package-status.ts";
import { formatBytes } from "../../../core/text/format-number.ts";
import { formatOutcome, type OutcomeWords } from "../../../core/text/format-outcome.ts";
import type { SendProgress } from "../send-options.ts";

/** Everything known about a sent package. */
export interface PackageNews {
  /** null until the relay answers; `withdrawn` by the user; `unknown` when the relay no longer answers. */
  readonly status: PackageStatus | "withdrawn" | "unknown" | null;
  readonly results: SoundResults | null;
  readonly sounds: readonly { readonly id: string }[];
  readonly computerName: string;
  /** True if the user has dismissed the package. */
  readonly isDismissed?: boolean;
}

/** A package's status in one line, and the next step if there is one. */
export interface StatusWords {
  readonly words: string;
  readonly tone: OutcomeWords["tone"] | "quiet";
  readonly next: string | null;
}

/** Formats the status of a sent package as text. */
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
      return { ...formatOutcome(t, outcomes, isOnlySaved(results ?? {})), next: null };
    }
  }
}

/** Explains why a sound was not imported: as reported, or in the page's own words, which name no program. */
export function formatResultError(t: Translate, error: string): string {
  if (error === NOT_SELECTED) return t("page.notSelected");
  return error === DISMISSED ? t("page.notWanted") : error;
}

interface PartProgress {
  readonly progress: SendProgress | null;
  /** Its place among several packages; null if it is the only one. */
  readonly part: { readonly number: number; readonly count: number } | null;
}

interface ProgressWords {
  readonly words: string;
  /** From 0 to 1; null if unknown. */
  readonly part: number | null;
}

/** Formats the progress of a package, and its place among several. */
export function formatSending(
  t: Translate,
  { progress, part: place }: PartProgress,
): ProgressWords {
  const { words, part } = formatProgress(t, progress);
  return {
    words:
      place === null ? words : t("page.part", { number: place.number, all: place.count, words }),
    part,
  };
}

/** Formats a package's progress. */
export function formatProgress(t: Translate, progress: SendProgress | null): ProgressWords {
  if (progress === null) return { words: t("page.starting"), part: null };
  const { phase, doneBytes, totalBytes } = progress;
  const part = totalBytes > 0 ? Math.min(1, doneBytes / totalBytes) : null;
  const amount = { done: formatBytes(t, doneBytes), total: formatBytes(t, totalBytes) };
  if (phase === "hashing") return { words: t("page.preparing", amount), part };
  return doneBytes < totalBytes
    ? { words: t("page.sending", amount), part }
    : { words: t("page.finishing"), part };
}
