import { formatOutcome } from "../../../core/text/format-outcome.ts";
import { formatInto } from "../../../core/text/format-host.ts";
import { formatSpan } from "../../../core/text/format-span.ts";
import { t } from "../../kit/page-language.ts";
import { formatMoment } from "../text/format-moment.ts";
import { formatProgress, formatRunError } from "../text/format-run.ts";
import {
  failureOf,
  type PickRow,
  type RowStatus,
  usableOf,
  soundResultsOf,
  isSavedRow,
} from "./pick-row.ts";

/** A row's state in one line. */
export interface RowText {
  readonly words: string;
  readonly tone: "quiet" | "good" | "mixed" | "bad";
}

/** A moment, for which a row's texts are right. */
export interface RowMoment {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Seconds since the importer's state was read. */
  readonly ageSeconds: number;
}

/** Formats a row's result, or the time left for it. */
export function formatRow(row: PickRow, status: RowStatus, moment: RowMoment): RowText {
  const { offered, run } = row;
  switch (status) {
    case "running":
      return { words: formatProgress(run?.progress ?? null).words, tone: "quiet" };
    case "done":
      return outcomeWords(row, moment);
    case "failed":
      return failureWords(row);
    case "dismissed":
      return { words: t("panel.dismissed"), tone: "quiet" };
    case "expired":
      return { words: t("panel.expired"), tone: "bad" };
    case "gone":
      return { words: t("panel.gone"), tone: "quiet" };
    case "unusable": {
      const words = offered !== null && "error" in offered ? offered.error : "";
      return { words, tone: "bad" };
    }
    case "waiting":
      return waitingWords(row, moment);
  }
}

/** Checks whether a waiting package has expired although the importer hasn't reported it yet. */
export function isOver(row: PickRow, { ageSeconds }: RowMoment): boolean {
  const left = usableOf(row)?.expiresInSeconds ?? null;
  return left !== null && left <= ageSeconds;
}

/** Formats the sender: an app, or the inbox; empty where only the results are known. */
export function formatOrigin(row: PickRow): string {
  const usable = usableOf(row);
  if (usable === null) return row.offered === null ? "" : t("panel.inbox");
  return usable.origin === "inbox" ? t("panel.inbox") : usable.appName;
}

function waitingWords(row: PickRow, { ageSeconds }: RowMoment): RowText {
  const usable = usableOf(row);
  if (usable?.isTaken === true) return { words: t("panel.taken"), tone: "mixed" };
  const left = usable?.expiresInSeconds ?? null;
  if (left === null) return { words: "", tone: "quiet" };
  const time = formatSpan(t, left - ageSeconds);
  return { words: t("panel.time-left", { time }), tone: "quiet" };
}

function failureWords(row: PickRow): RowText {
  const failure = failureOf(row);
  return {
    words: failure === null ? "" : formatRunError(failure),
    tone: failure?.code === "CANCELLED" ? "quiet" : "bad",
  };
}

function outcomeWords(row: PickRow, { nowMs }: RowMoment): RowText {
  if (failureOf(row) !== null) return failureWords(row);
  const { words, tone } = formatOutcome(t, soundResultsOf(row), isSavedRow(row));
  const full = formatInto(t, words, row.otherHost);
  const at = row.past?.at ?? null;
  if (at === null) return { words: full, tone };
  return { words: t("panel.headline", { words: full, when: formatMoment(at, nowMs) }), tone };
}
