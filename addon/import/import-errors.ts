import type { JournalStep } from "../host/host.ts";

/** The person called the import off. What was fetched is kept; nothing is left at the host. */
export class ImportCancelledError extends Error {
  override readonly name = "ImportCancelledError";
  readonly code = "CANCELLED";

  constructor(options?: ErrorOptions) {
    super("The import was cancelled.", options);
  }
}

/** The disk would not take or give what the import needs. */
export class DiskError extends Error {
  override readonly name = "DiskError";
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
    `An earlier import of ${title} stopped half-way.`,
    ...(done === "" ? [] : [`It did: ${done}.`]),
    ...(begun === "" ? [] : [`It may have done: ${begun}.`]),
    "Delete what you do not want, then import again.",
  ].join(" ");
}

function labelsOf(steps: readonly JournalStep[], state: JournalStep["state"]): string {
  const labels = steps.filter((step) => step.state === state).map(({ label }) => label);
  return labels.join(", ");
}

/** An error of the file system in words; any other error as it is. */
export function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const place = "path" in error && typeof error.path === "string" ? error.path : "a folder";
  return new DiskError(sentenceFor(String(error.code), place), { cause: error });
}

function sentenceFor(code: string, place: string): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full. Make room and import again; what has come is kept.";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `Soundferry may not write to ${place}. Choose another folder in the settings.`;
    case "EMFILE":
    case "ENFILE":
      return "Too many files are open on this computer. Close a program and import again.";
    default:
      return `The disk made trouble at ${place} (${code}). Import again; what has come is kept.`;
  }
}
