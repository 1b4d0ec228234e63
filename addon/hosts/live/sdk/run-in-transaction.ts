import { type HostJournal, HostStepError } from "../../host.ts";
import type { LiveContext } from "./live-api.ts";

export interface LiveRun {
  readonly live: LiveContext;
  readonly journal: HostJournal;
  readonly signal: AbortSignal;
}

export interface LiveStep {
  /** The step's description, which completes “Live couldn't …”. */
  readonly label: string;
  readonly act: () => unknown;
  /** Called when Live refuses. */
  readonly refused?: (error: HostStepError) => unknown;
  /** Called at the end, whether Live refuses or not. */
  readonly settled?: () => void;
}

/**
 * Takes steps as one undo step. Live groups everything that starts before the transaction's function returns, so
 * all steps start before any is awaited. If Live refuses the transaction, each is its own undo step.
 * @throws {Error} when the journal can't be written, once all steps are over
 */
export async function runInTransaction(
  { live, journal }: Pick<LiveRun, "live" | "journal">,
  steps: readonly LiveStep[],
): Promise<void> {
  const begun: Promise<void>[] = [];
  const begin = () => {
    if (begun.length === 0) begun.push(...steps.map((step) => takeStep(journal, step)));
  };
  if (steps.length > 0) {
    try {
      live.withinTransaction(begin);
    } catch {
      // Steps that have started report their own results.
    }
    begin();
  }
  const failed = (await Promise.allSettled(begun)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

async function takeStep(journal: HostJournal, step: LiveStep): Promise<void> {
  try {
    await journal.step(step.label, async () => void (await step.act()));
  } catch (error) {
    if (!(error instanceof HostStepError)) throw error;
    step.refused?.(error);
  }
  step.settled?.();
}
