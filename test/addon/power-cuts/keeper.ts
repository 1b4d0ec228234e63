import type { Note } from "../../sim/disk-call.ts";

export type NoteTaker = (note: Note["note"], value: unknown) => void;

/** A module of the importer that promises durability. */
export interface Keeper {
  readonly title: string;
  /** Uses the module, and records each value before it is handed over and once it is promised. Can be repeated. */
  act(folder: string, note: NoteTaker): Promise<void>;
  /** Returns the value that the module finds at its next start; never rejects. */
  read(folder: string): Promise<unknown>;
  /** The value that the module finds in an empty folder. */
  readonly nothing: unknown;
}
