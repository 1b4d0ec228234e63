import type { ChangeArgument, ChangeName, ChangeResult } from "./changes.ts";
import type { Work } from "./statement.ts";

/** A database that runs changes and reads. */
export interface Engine {
  /** Makes a change, by its name. Resolves when it is durable. */
  change<Name extends ChangeName>(
    name: Name,
    argument: ChangeArgument<Name>,
  ): Promise<ChangeResult<Name>>;
  /** Runs a short read. It sees every change that was committed before the call. */
  read<Result>(read: Work<Result>): Promise<Result>;
  /** Runs a read that may take long. It keeps no other read waiting. */
  readSlowly<Result>(read: Work<Result>): Promise<Result>;
  /** Returns a text that changes with each commit of any process, and each change that failed; missing if nobody can say. */
  readonly use?: () => string;
  /** Id of this process among those that share the database; null if none do. */
  readonly process: string | null;
  /** Sentence for an operator that names the place of the database. */
  readonly where: string;
}
