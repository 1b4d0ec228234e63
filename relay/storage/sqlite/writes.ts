import type { DatabaseSync } from "node:sqlite";
import { operatorLogWrites } from "./operator-decisions.ts";
import { packageWrites } from "./package-writes.ts";
import { pairingRequestWrites } from "./pairing-request-writes.ts";
import { pairingWrites } from "./pairing-writes.ts";
import { repeatWrites } from "./repeated-claims.ts";
import { partialWrites, soundKeyWrites } from "./sound-key-writes.ts";

/** Every write of the database, by name. Arguments and results can be sent between threads. */
export function allWrites(database: DatabaseSync) {
  return {
    ...pairingWrites(database),
    ...pairingRequestWrites(database),
    ...repeatWrites(database),
    ...packageWrites(database),
    ...soundKeyWrites(database),
    ...partialWrites(database),
    ...upkeepWrites(database),
    ...operatorLogWrites(database),
  };
}

/** The writes for the database's own state. Each runs inside its caller's transaction. */
export function upkeepWrites(database: DatabaseSync) {
  const keep = database.prepare(
    `INSERT INTO upkeep (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  return {
    keepUpkeep(values: Readonly<Record<string, string>>): void {
      for (const [name, value] of Object.entries(values)) keep.run(name, value);
    },
  };
}

export type Writes = ReturnType<typeof allWrites>;
export type WriteName = keyof Writes;
export type WriteArgument<Name extends WriteName> = Parameters<Writes[Name]>[0];
export type WriteResult<Name extends WriteName> = ReturnType<Writes[Name]>;

/** Runs one of the writes in a transaction. */
export type Write = <Name extends WriteName>(
  name: Name,
  argument: WriteArgument<Name>,
) => Promise<WriteResult<Name>>;

/** A request from the main thread to the writer. */
export interface WriteRequest {
  readonly id: number;
  readonly name: WriteName;
  readonly argument: unknown;
}

/** The reason why a write failed, if a store's port names it: an error loses its class in the transfer. */
export type WriteTrouble = "full" | "busy" | "lost" | "failing" | undefined;

/** The reply, after the commit. */
export type WriteReply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: unknown; readonly trouble: WriteTrouble }
);

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
