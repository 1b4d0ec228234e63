import { type HostJournal, HostStepError } from "../host.ts";
import type { LiveContext } from "./live-api.ts";

/** What every part of a placement works with. */
export interface LiveRun {
  readonly live: LiveContext;
  readonly journal: HostJournal;
  readonly signal: AbortSignal;
}

export interface LiveStep {
  /** Finishes “Live would not …”. */
  readonly label: string;
  readonly act: () => unknown;
  /** Told when Live would not do it; nothing happens where left out. */
  readonly refused?: (error: HostStepError) => unknown;
  /** Told when it is over, either way. */
  readonly settled?: () => void;
}

/**
 * Takes steps as one undo step of Live's: it groups what begins before the transaction's function
 * returns, so all are begun before any is waited for. Where Live gives no transaction, they are taken
 * all the same, as an undo step each.
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
      // What has begun tells by itself how it went.
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
