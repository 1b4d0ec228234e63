import type { ImportProgress } from "../../../core/protocol/import-outcome.ts";
import { formatBytes } from "../../../core/text/format-number.ts";
import { formatSpan } from "../../../core/text/format-span.ts";
import { t } from "../../kit/page-language.ts";
import type { PanelRunError } from "../../../core/protocol/panel-api.ts";

interface ProgressWords {
  readonly words: string;
  /** Part that is done, from 0 to 1; null where it is unknown. */
  readonly part: number | null;
}

/** Formats a run's progress within its phase; null is a queued run. */
export function formatProgress(progress: ImportProgress | null): ProgressWords {
  if (progress === null) return { words: t("panel.progress-queued"), part: null };
  switch (progress.phase) {
    case "taken":
      return { words: t("panel.progress-taken"), part: null };
    case "retrying": {
      const time = formatSpan(t, progress.secondsLeft);
      return { words: t("panel.progress-retrying", { time }), part: fetchedPart(progress) };
    }
    case "fetching": {
      const { doneBytes, totalBytes } = progress;
      const [done, total] = [formatBytes(t, doneBytes), formatBytes(t, totalBytes)];
      const words = t("panel.progress-fetching", { done, total });
      return { words, part: fetchedPart(progress) };
    }
    case "placing": {
      const { placed, total } = progress;
      const words = t("panel.progress-placing", { placed, count: total });
      return { words, part: total > 0 ? placed / total : null };
    }
    case "reported":
      return {
        words: progress.isKnown ? t("panel.progress-done") : t("panel.progress-offline"),
        part: 1,
      };
  }
}

interface FetchedBytes {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

function fetchedPart({ doneBytes, totalBytes }: FetchedBytes): number | null {
  return totalBytes > 0 ? Math.min(1, doneBytes / totalBytes) : null;
}

/** Formats why a run failed. A lost connection needs no details. */
export function formatRunError({ code, error }: PanelRunError): string {
  return code === "CONNECTION_LOST" ? t("run.CONNECTION_LOST") : error;
}
