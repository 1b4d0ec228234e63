import type { SoundGuess } from "../../../core/guess/sound-guess.ts";
import type { SoundKind, SoundRole } from "../../../core/manifest/manifest.ts";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";

/** What is sent of a sound. Numbers are as typed, empty if unset. */
export interface SoundChoice {
  readonly name: string;
  /** null while nobody has decided. */
  readonly kind: SoundKind | null;
  /** null if unset. */
  readonly role: SoundRole | null;
  readonly lengthBeats: string;
  readonly bpm: string;
  readonly gainDb: string;
  /** `#RRGGBB`; null for automatic. */
  readonly color: string | null;
  /** Whether a person has decided to send a loop without tempo and length. */
  readonly isTempoOpen: boolean;
}

/** What a person has set; the rest is as guessed. */
export type SoundEdits = Partial<SoundChoice>;

/** A sound that can be sent. */
export interface PageSound {
  /** Unique while the page is open. */
  readonly key: string;
  /** A WAV. */
  readonly source: Blob;
  /** As chosen, dropped or recorded. */
  readonly fileName: string;
  /** The folders it was in, such as `Pack/Loops`; null if that is unknown. */
  readonly folderName: string | null;
  readonly header: WavHeader;
  readonly hints: LoopHints;
  /** What was done to convert it to WAV. */
  readonly notes: readonly string[];
  readonly guess: SoundGuess;
  readonly edits: SoundEdits;
}

/** A file that can't be sent. */
export interface RefusedFile {
  readonly key: string;
  readonly name: string;
  /** Why; null for one sound too many. */
  readonly sentence: string | null;
}

/** The size of these sounds' files. */
export function bytesOf(sounds: readonly Pick<PageSound, "source">[]): number {
  return sounds.reduce((sum, { source }) => sum + source.size, 0);
}
