import type { Note } from "../../sim/disk-call.ts";

export type NoteTaker = (note: Note["note"], value: unknown) => void;

/** A module of the importer that promises to keep something. */
export interface Keeper {
  readonly title: string;
  /** Uses it, and notes each value before it is handed over and once it is promised. Can be done again. */
  act(folder: string, note: NoteTaker): Promise<void>;
  /** What it finds at its next start; never rejects. */
  read(folder: string): Promise<unknown>;
  /** What it finds in an empty folder. */
  readonly nothing: unknown;
}
