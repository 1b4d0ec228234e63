import type { SoundKind, SoundRole } from "../../../core/manifest/manifest.ts";
import type { LoopHints } from "../../../core/wav/read-loop-hints.ts";
import type { WavHeader } from "../../../core/wav/wav-header.ts";

/** What a person decides about a sound; numbers are as typed, empty where nothing is. */
export interface SoundChoice {
  readonly name: string;
  readonly kind: SoundKind;
  /** null where none is chosen. */
  readonly role: SoundRole | null;
  readonly lengthBeats: string;
  readonly bpm: string;
  readonly gainDb: string;
  /** `#RRGGBB`; null for the one that the package's sounds share. */
  readonly color: string | null;
}

/** A sound that can be sent. */
export interface PageSound extends SoundChoice {
  /** Unlike any other's, as long as the page is open. */
  readonly key: string;
  /** A WAV. */
  readonly source: Blob;
  readonly header: WavHeader;
  readonly hints: LoopHints;
  /** What was done to it before it became a WAV. */
  readonly notes: readonly string[];
  /** Whether its suggestion was accepted or put aside. */
  readonly isSuggestionDone: boolean;
}

/** A file that can't be sent. */
export interface RefusedFile {
  readonly key: string;
  readonly name: string;
  /** Why; null where it would be one sound too many. */
  readonly sentence: string | null;
}
