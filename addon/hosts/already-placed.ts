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
    `An earlier import of ${title} was interrupted.`,
    ...(done === "" ? [] : [`Done: ${done}.`]),
    ...(begun === "" ? [] : [`Maybe done: ${begun}.`]),
    "Delete what you don't want, then import again.",
  ].join(" ");
}

function labelsOf(steps: readonly JournalStep[], state: JournalStep["state"]): string {
  const labels = steps.filter((step) => step.state === state).map(({ label }) => label);
  return labels.join(", ");
}

// Notes on the tracks of an earlier import (rule R15).

export const ON_EARLIER_TRACK = "It is on its track from the earlier import.";
export const NO_TRACK = "There is no earlier track for it, so it got a new one.";
export const TRACK_UNUSABLE = "Its earlier track is frozen or takes no audio, so it got a new one.";
