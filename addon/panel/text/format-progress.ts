import type { ImportProgress } from "../../../core/protocol/import-outcome.ts";
import { formatBytes } from "../../../core/page/format-bytes.ts";
import { countOf } from "../../../core/text/count-of.ts";

export interface ProgressWords {
  readonly words: string;
  /** From 0 to 1; null where it is unknown. */
  readonly part: number | null;
}

/** Formats a run's progress within its phase; null is a queued run. */
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
