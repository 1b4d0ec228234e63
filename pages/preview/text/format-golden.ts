import { countOf } from "../../../core/text/count-of.ts";
import type { PreviewGolden } from "../../../core/protocol/preview-api.ts";

/** How a layout compares with the accepted one, as text and as a tone for its style. */
export interface GoldenWords {
  readonly words: string;
  readonly tone: "good" | "mixed" | "bad";
}

export function formatGolden(golden: PreviewGolden): GoldenWords {
  switch (golden.status) {
    case "same":
      return golden.colorsNowAutomatic.length === 0
        ? { words: "accepted", tone: "good" }
        : { words: "accepted, colours are automatic now", tone: "good" };
    case "missing":
      return { words: "not accepted yet", tone: "mixed" };
    case "differs":
      return { words: countOf(golden.differences.length, "difference"), tone: "mixed" };
    case "unreadable":
      return { words: "accepted layout unreadable", tone: "bad" };
  }
}
