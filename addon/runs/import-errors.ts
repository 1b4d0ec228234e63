import type { JournalStep } from "../hosts/host.ts";

/** The import was cancelled. Downloaded files stay; the host holds nothing of the package. */
export class ImportCancelledError extends Error {
  override readonly name = "ImportCancelledError";
  readonly code = "CANCELLED";

  constructor(options?: ErrorOptions) {
    super("The import was cancelled.", options);
  }
}

/**
 * An interrupted import left a part of the package at a host that can't resume (rule R4). With
 * `again`, an import places the whole package once more.
 */
export class AlreadyPlacedError extends Error {
  override readonly name = "AlreadyPlacedError";
  readonly code = "ALREADY_PLACED";
  /** The earlier import's journal, oldest first. */
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
