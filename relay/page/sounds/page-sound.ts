import type { SoundKind, SoundRole } from "../../../core/manifest/manifest.ts";
import type { LoopHints } from "../../../core/wav/read-loop-hints.ts";
import type { WavHeader } from "../../../core/wav/wav-header.ts";

/** What a person sets for a sound. Numbers are as typed, empty if unset. */
export interface SoundChoice {
  readonly name: string;
  readonly kind: SoundKind;
  /** null if unset. */
  readonly role: SoundRole | null;
  readonly lengthBeats: string;
  readonly bpm: string;
  readonly gainDb: string;
  /** `#RRGGBB`; null for the colour that the package's sounds share. */
  readonly color: string | null;
}

/** A sound that can be sent. */
export interface PageSound extends SoundChoice {
  /** Unique while the page is open. */
  readonly key: string;
  /** A WAV. */
  readonly source: Blob;
  readonly header: WavHeader;
  readonly hints: LoopHints;
  /** What was done to convert it to WAV. */
  readonly notes: readonly string[];
  /** Whether its suggestion was accepted or dismissed. */
  readonly isSuggestionDone: boolean;
}

/** A file that can't be sent. */
export interface RefusedFile {
  readonly key: string;
  readonly name: string;
  /** Why; null for one sound too many. */
  readonly sentence: string | null;
}
