import type { DatabaseSync } from "node:sqlite";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import {
  StoreBusyError,
  StoreFullError,
  StoreLostError,
  StoreTroubleError,
} from "../../domain/ports.ts";
import {
  type ChangeArgument,
  type ChangeName,
  changeOf,
  type ChangeResult,
} from "../records/changes.ts";
import { StatementRunner } from "./statement-runner.ts";

/** Makes a change inside its caller's transaction. @throws {Undone} if the change undoes itself; it has the result */
export type MakeChange = (name: ChangeName, argument: unknown) => unknown;

/** Returns a function that makes the changes on a connection. */
export function changesOn(database: DatabaseSync): MakeChange {
  const runner = new StatementRunner(database);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sender's types tie the argument to the name
  return (name, argument) => runner.run(changeOf(name).run(argument as never));
}

/** Makes a change in a transaction. */
export type Write = <Name extends ChangeName>(
  name: Name,
  argument: ChangeArgument<Name>,
) => Promise<ChangeResult<Name>>;

/** A request from the main thread to the writer. */
export interface WriteRequest {
  readonly id: number;
  readonly name: ChangeName;
  readonly argument: unknown;
}

/** The errors that a store's port names. */
const TROUBLES = {
  full: StoreFullError,
  busy: StoreBusyError,
  lost: StoreLostError,
  failing: StoreTroubleError,
};
type Trouble = keyof typeof TROUBLES;

/** A failed write. An error loses its class in the transfer, so `trouble` says which one it had. */
interface WriteFailure {
  readonly error: unknown;
  readonly trouble: Trouble | undefined;
}

/** The reply, after the commit. */
export type WriteReply = { readonly id: number } & (
  | { readonly result: unknown; readonly trouble?: undefined }
  | WriteFailure
);

export function failureOf(error: unknown): WriteFailure {
  const names = ["full", "busy", "lost", "failing"] as const;
  return { error, trouble: names.find((name) => error instanceof TROUBLES[name]) };
}

/** Returns the error of a failed write with its class. */
export function restoreError({ error, trouble }: WriteFailure): unknown {
  if (trouble === undefined) return error;
  return new TROUBLES[trouble](sentenceOf(error), { cause: error, code: "ERR_SQLITE_ERROR" });
}

/** The arguments with which the writer is started. */
export interface WriterData {
  readonly folder: string;
  readonly busyTimeoutMs: number;
}

/** A message from the writer: the database is open, another process wrote, a failed tidying, or replies. */
export type WriterMessage =
  | "ready"
  | "changed"
  | "full"
  | "finished"
  | Error
  | readonly WriteReply[];

/**
 * An order to the writer besides writing. `finish` makes it check whether the database is still the one that it was,
 * and say so while the reading connection is open. As long as it is, closing merges nothing. `close` then ends the
 * writer.
 */
export type WriterOrder = "finish" | "close";
