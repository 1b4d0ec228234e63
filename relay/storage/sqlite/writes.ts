import type { DatabaseSync } from "node:sqlite";
import { packageWrites } from "./package-writes.ts";
import { pairingWrites } from "./pairing-writes.ts";
import { soundKeyWrites } from "./sound-key-writes.ts";

/** Every write of the database by name. Arguments and results can be sent between threads. */
export function allWrites(database: DatabaseSync) {
  return {
    ...pairingWrites(database),
    ...packageWrites(database),
    ...soundKeyWrites(database),
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

/** The reply, after the commit. `isDiskFull` carries what an error would lose in the transfer. */
export type WriteReply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: unknown; readonly isDiskFull: boolean }
);

/** What the writer sends: that it has opened the database, that another connection changed it, or replies. */
export type WriterMessage = "ready" | "changed" | readonly WriteReply[];
