import type { DatabaseSync } from "node:sqlite";
import { packageWrites } from "./package-writes.ts";
import { pairingWrites } from "./pairing-writes.ts";

/** Every change of the database by name; arguments and results can be sent between threads. */
export function allWrites(database: DatabaseSync) {
  return { ...pairingWrites(database), ...packageWrites(database) };
}

export type Writes = ReturnType<typeof allWrites>;
export type WriteName = keyof Writes;
export type WriteArgument<Name extends WriteName> = Parameters<Writes[Name]>[0];
export type WriteResult<Name extends WriteName> = ReturnType<Writes[Name]>;

/** What the main thread asks of the one that writes. */
export interface WriteRequest {
  readonly id: number;
  readonly name: WriteName;
  readonly argument: unknown;
}

/** What comes back, after the commit. `isDiskFull` says of an error what would not survive its way between threads. */
export type WriteReply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: unknown; readonly isDiskFull: boolean }
);
