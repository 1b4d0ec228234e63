import type { PageSound } from "../sounds/page-sound.ts";

/** A sound as it is stored; its WAV is stored on its own. */
export type StoredSound = Omit<PageSound, "source">;

/** What a person has put together and not sent yet. */
export interface StoredDraft {
  /** Changes with the shape of what is stored: other versions are not read. */
  readonly version: typeof DRAFT_VERSION;
  /** Of the tab that works on it. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly title: string | null;
  readonly bpm: string | null;
  readonly sounds: readonly StoredSound[];
  /** Keys of the selected sounds, and of the one that the detail view shows. */
  readonly selected: readonly string[];
  readonly active: string | null;
}

/** The version that this page reads and writes. */
export const DRAFT_VERSION = 1;
