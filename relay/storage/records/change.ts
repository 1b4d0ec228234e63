import type { Work } from "./statement.ts";

/** A change of the records, as one transaction. Argument and result can be sent between threads. */
export interface Change<Argument, Result> {
  readonly run: (argument: Argument) => Work<Result>;
  /**
   * The reaction to a connection that was lost during COMMIT: a read that finds out whether the change is in the database,
   * or `repeat` if making it twice is the same as once. Without it, the caller learns that the outcome is unknown.
   * Only PostgreSQL has such connections, so the read's statements are for it only.
   */
  readonly ifUnknown?: ((argument: Argument) => Work<boolean>) | "repeat";
  /** Set if it is one statement, which is a whole transaction. */
  readonly isOne?: true;
  /** Set if its statements may take long, such as those that copy many rows. */
  readonly isSlow?: true;
  /** Packages that it may write: the argument's `packageId` alone, or any. None if it is missing. */
  readonly writes?: "package" | "packages";
}

/** Defines a change. */
export function change<Argument, Result>(
  run: (argument: Argument) => Work<Result>,
  options: Omit<Change<Argument, Result>, "run"> = {},
): Change<Argument, Result> {
  return { run, ...options };
}
