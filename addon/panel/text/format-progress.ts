import type { ImportProgress } from "../../../core/protocol/import-outcome.ts";
import { formatBytes } from "../../../core/page/format-bytes.ts";
import { countOf } from "../../../core/text/count-of.ts";

/** How far a run is, for a bar. */
export interface ProgressWords {
  readonly words: string;
  /** From 0 to 1; null where nobody knows. */
  readonly part: number | null;
}

/** How far a run is, in words and as a part of its present phase; null is a run that waits for its turn. */
export function formatProgress(progress: ImportProgress | null): ProgressWords {
  if (progress === null) return { words: "Queued", part: null };
  switch (progress.phase) {
    case "taken":
      return { words: "Starting…", part: null };
    case "fetching": {
      const { doneBytes, totalBytes } = progress;
      const words = `Fetching: ${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`;
      return { words, part: totalBytes > 0 ? Math.min(1, doneBytes / totalBytes) : null };
    }
    case "placing": {
      const { placed, total } = progress;
      const words = `Placing: ${placed} of ${countOf(total, "sound")}`;
      return { words, part: total > 0 ? placed / total : null };
    }
    case "reported":
      return {
        words: progress.isKnown
          ? "Done"
          : "Done. The app gets the result once the relay is back online.",
        part: 1,
      };
  }
}
