import { runSentence } from "../../core/protocol/run-sentences.ts";
import type { JournalStep } from "./host.ts";

/**
 * An interrupted import left a part of the package at the host (rule R4). The importer throws this error for a
 * host that can't resume. A host that can resume may throw it from `place` where the session shows leftovers,
 * unless `again` is set. With `again`, an import places the whole package once more.
 */
export class AlreadyPlacedError extends Error {
  override readonly name = "AlreadyPlacedError";
  readonly code = "ALREADY_PLACED";
  /** The steps that the interrupted import took, oldest first. */
  readonly steps: readonly JournalStep[];

  constructor(title: string, steps: readonly JournalStep[]) {
    super(alreadyPlacedSentence(title, steps));
    this.steps = steps;
  }
}

function alreadyPlacedSentence(title: string, steps: readonly JournalStep[]): string {
  const done = labelsOf(steps, "done");
  const begun = labelsOf(steps, "begun");
  return [
    runSentence("INTERRUPTED", { title }),
    ...(done === "" ? [] : [runSentence("STEPS_DONE", { steps: done })]),
    ...(begun === "" ? [] : [runSentence("STEPS_BEGUN", { steps: begun })]),
    runSentence("DELETE_REST"),
  ].join(" ");
}

function labelsOf(steps: readonly JournalStep[], state: JournalStep["state"]): string {
  const labels = steps.filter((step) => step.state === state).map(({ label }) => label);
  return labels.join(", ");
}

// Notes on the tracks of an earlier import (rule R15).

export const ON_EARLIER_TRACK = runSentence("ON_EARLIER_TRACK");
export const NO_TRACK = runSentence("NO_EARLIER_TRACK");
export const TRACK_UNUSABLE = runSentence("EARLIER_TRACK_UNUSABLE");
