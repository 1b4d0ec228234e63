import type { SoundGuess } from "../../../core/guess/sound-guess.ts";
import type { SoundKind, SoundRole } from "../../../core/manifest/manifest.ts";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { BEATS, BPM, numberOf } from "./read-number.ts";

/** The properties that are sent with a sound. Numbers are texts as typed, empty if unset. */
export interface SoundChoice {
  readonly name: string;
  /** Loop or one-shot; null while nobody has decided. */
  readonly kind: SoundKind | null;
  /** The role; null if unset. */
  readonly role: SoundRole | null;
  readonly lengthBeats: string;
  readonly bpm: string;
  readonly gainDb: string;
  /** `#RRGGBB`; null for automatic. */
  readonly color: string | null;
  /** Set once a person has decided to send a loop without tempo and length. */
  readonly isTempoOpen: boolean;
}

/** The properties that a person has set; the others are guessed. */
export type SoundEdits = Partial<SoundChoice>;

/** A sound that can be sent. */
export interface PageSound {
  /** Unique while the page is open. */
  readonly key: string;
  /** The sound as a WAV. */
  readonly source: Blob;
  /** Name of the file that was chosen, dropped or recorded. */
  readonly fileName: string;
  /** The folders it was in, such as `Pack/Loops`; null if that is unknown. */
  readonly folderName: string | null;
  readonly header: WavHeader;
  readonly hints: LoopHints;
  /** Notes on the conversion to WAV. */
  readonly notes: readonly string[];
  readonly guess: SoundGuess;
  readonly edits: SoundEdits;
}

/** A file that can't be sent. */
export interface RefusedFile {
  readonly key: string;
  readonly name: string;
  /** The reason; null for one sound too many. */
  readonly sentence: string | null;
}

/** Returns the size of these sounds' files. */
export function bytesOf(sounds: readonly Pick<PageSound, "source">[]): number {
  return sounds.reduce((sum, { source }) => sum + source.size, 0);
}

/** Decimals of a tempo that follows from a length; over 4096 beats the rounding is a fraction of a frame. */
const DECIMALS = 6;

/**
 * Returns the properties that are sent with a sound: those that a person has set, otherwise the guess. If a person sets
 * only the tempo or only the length of a loop, the other follows from it and from the file.
 */
export function choiceOf(sound: PageSound): SoundChoice {
  const { guess, edits } = sound;
  return {
    name: guess.title,
    kind: guess.kind,
    role: guess.role,
    bpm: bpmOf(sound),
    lengthBeats: hasNumber(edits.bpm) ? "" : typedOf(guess.lengthBeats),
    gainDb: "",
    color: null,
    isTempoOpen: false,
    ...edits,
  };
}

function bpmOf({ guess, edits, header }: PageSound): string {
  const beats = numberOf(edits.lengthBeats ?? "", BEATS);
  if (beats === undefined) return typedOf(guess.bpm);
  const bpm = typedOf((beats * 60 * header.sampleRateHz) / header.frames);
  return hasNumber(bpm) ? bpm : "";
}

function hasNumber(bpm: string | undefined): boolean {
  return numberOf(bpm ?? "", BPM) !== undefined;
}

/** Formats a number as a person would type it. */
function typedOf(value: number | null): string {
  return value === null ? "" : formatNumber(value, DECIMALS);
}
