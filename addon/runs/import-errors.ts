import type { JournalStep } from "../hosts/host.ts";

/** The person called the import off. What was fetched is kept; nothing is left at the host. */
export class ImportCancelledError extends Error {
  override readonly name = "ImportCancelledError";
  readonly code = "CANCELLED";

  constructor(options?: ErrorOptions) {
    super("The import was cancelled.", options);
  }
}

/**
 * An earlier import of the package stopped half-way, and what it made is still at the host, which
 * can't tell its own from what came later (rule R4). Imported `again`, it is all made anew.
 */
export class AlreadyPlacedError extends Error {
  override readonly name = "AlreadyPlacedError";
  readonly code = "ALREADY_PLACED";
  /** What the earlier import wrote down, oldest first. */
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
