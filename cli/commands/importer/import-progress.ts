import type { PackageProgress } from "../../../addon/runs/importer-calls.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { formatSpan } from "../../../core/text/format-span.ts";
import type { Output } from "../../output.ts";
import { type Progress, showProgress } from "../../progress.ts";

/** Shows the progress of imports: a bar for each package's download, then a line when it is placed. */
export function followImports(output: Output): {
  readonly onProgress: (progress: PackageProgress) => void;
  readonly stop: () => void;
} {
  let bar: Progress | undefined;
  let isRetrying = false;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
  };
  const onProgress = ({ title, progress }: PackageProgress): void => {
    if (progress.phase === "retrying") {
      if (isRetrying) return;
      isRetrying = true;
      stop();
      const time = formatSpan(inEnglish, progress.secondsLeft);
      return output.say(`${title}: the connection was lost. Trying again… (${time} left)`);
    }
    isRetrying = false;
    if (progress.phase === "fetching") {
      bar ??= showProgress("Fetched", new Map([[title, progress.totalBytes]]), output);
      bar.update(title, progress.doneBytes);
      return;
    }
    stop();
    if (progress.phase === "placing" && progress.placed === progress.total) {
      output.say(`${title}: ${progress.placed} of ${progress.total} placed.`);
    }
    if (progress.phase === "reported" && !progress.isKnown) {
      output.say(`${title}: the relay gets the result once it is back online.`);
    }
  };
  return { onProgress, stop };
}
