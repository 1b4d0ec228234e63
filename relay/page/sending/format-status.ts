import { type OutcomeWords, formatOutcome } from "../../../core/page/format-outcome.ts";
import { WHERE_TO_IMPORT } from "../../../core/protocol/public-api.ts";
import type { SentItem } from "./sent-item.ts";

/** A package's status in one line, and the next step if there is one. */
export interface StatusWords {
  readonly words: string;
  readonly tone: OutcomeWords["tone"] | "calm";
  readonly next: string | null;
}

/** The status of a sent package as text. */
export function formatStatusOf({ status, results, sounds }: SentItem): StatusWords {
  switch (status) {
    case null:
      return { words: "Checking…", tone: "calm", next: null };
    case "uploading":
      return { words: "Upload incomplete", tone: "calm", next: null };
    case "waiting":
      return { words: "Waiting for Import", tone: "calm", next: `${WHERE_TO_IMPORT}.` };
    case "withdrawn":
      return { words: "Withdrawn", tone: "calm", next: null };
    case "unknown":
      return { words: "Stopped following", tone: "calm", next: null };
    case "expired":
      return {
        words: "Expired before import",
        tone: "bad",
        next: "Its files were deleted. Send it again.",
      };
    case "imported":
    case "partial":
    case "failed": {
      const outcomes = sounds.map(
        ({ id }) => ({ status: results?.[id]?.status ?? "failed" }) as const,
      );
      return { ...formatOutcome(outcomes), next: null };
    }
  }
}
