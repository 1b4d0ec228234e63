import type { ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { LiveUi } from "../hosts/live/sdk/live-api.ts";

/** Share of the downloads in the progress, in percent. */
const FETCHING_SHARE = 70;

export interface DialogOptions {
  /** Aborts on Cancel. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Runs `work` under Live's progress dialog; settles once the dialog is closed, so that another can open.
 * @throws {Error} with a sentence when Live can't show the dialog; then `work` wasn't called
 */
export async function underProgressDialog<Outcome>(
  ui: LiveUi,
  text: string,
  work: (options: DialogOptions) => Promise<Outcome>,
): Promise<Outcome> {
  // It is unknown how Live treats a rejection: its callback always resolves.
  const run: { end?: Promise<readonly PromiseSettledResult<Outcome>[]> } = {};
  try {
    await ui.withinProgressDialog(text, { progress: 0 }, async (update, signal) => {
      run.end = Promise.allSettled([work({ signal, onProgress: reportTo(update) })]);
      await run.end;
    });
  } catch (cause) {
    if (run.end === undefined) throw new Error("Live couldn't show the progress.", { cause });
  }
  const [end] = (await run.end) ?? [];
  if (end === undefined) throw new Error("Live couldn't show the progress.");
  if (end.status === "rejected") throw end.reason;
  return end.value;
}

/** Returns a listener that reports each percent once: a fast download would flood Live. */
function reportTo(
  update: (text: string, percent?: number) => unknown,
): DialogOptions["onProgress"] {
  let lastStep = "";
  return (progress) => {
    const { text, percent } = progressWords(progress);
    const step = `${progress.phase} ${percent}`;
    if (step === lastStep) return;
    lastStep = step;
    // A closed dialog may refuse.
    const report = async () => update(text, percent);
    report().catch(() => undefined);
  };
}

/** Formats an import's progress as a text and the whole percentage of the work. */
export function progressWords(progress: ImportProgress): {
  readonly text: string;
  readonly percent: number;
} {
  switch (progress.phase) {
    case "taken":
      return { text: "Fetching sounds", percent: 0 };
    case "fetching": {
      const { doneBytes, totalBytes } = progress;
      const share = totalBytes === 0 ? 1 : Math.min(1, doneBytes / totalBytes);
      const text = `Fetching ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB`;
      return { text, percent: Math.floor(share * FETCHING_SHARE) };
    }
    case "retrying": {
      const { percent } = progressWords({ ...progress, phase: "fetching" });
      return { text: "The connection was lost. Trying again", percent };
    }
    case "placing": {
      const { placed, total } = progress;
      const share = total === 0 ? 1 : placed / total;
      const text = `${placed} of ${total} sounds placed`;
      return { text, percent: Math.floor(FETCHING_SHARE + share * (99 - FETCHING_SHARE)) };
    }
    case "reported":
      return { text: "Done", percent: 100 };
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
