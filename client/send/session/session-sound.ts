import type { Heard } from "../../../core/audio/listening/heard.ts";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import type { SoundGuess } from "../../../core/guess/sound-guess.ts";
import type { SoundKind, SoundRole } from "../../../core/manifest/manifest.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { SoundDraft, SoundSource } from "../package-draft.ts";
import type { Converted, DecodedSound } from "./audio-tools.ts";
import { BEATS, BPM, GAIN, numberOf } from "./typed-numbers.ts";

/** A sound that is added to a session. What an app or a person leaves out is guessed. */
export interface GivenSound extends Omit<SoundDraft, "source"> {
  /** An `AudioBuffer`, or any file that the browser can decode; WAV and AIFF are read without decoding. */
  readonly source: SoundSource | DecodedSound;
}

/** A chosen file and the folders it was in, such as `Pack/Loops`. */
export interface FoundSound extends GivenSound {
  readonly folderName?: string | null;
}

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
  /** Set once someone has decided to send a loop without tempo and length. */
  readonly isTempoOpen: boolean;
}

/** The properties that a person or an app has set; the others are guessed. */
export type SoundEdits = Partial<SoundChoice>;

/** A person's answer for all files of a recording (rule G19). */
export interface GroupAnswer {
  /** True if they aren't one recording: each has its own guess. */
  readonly isSeparate?: boolean;
  /** True if they play as recorded although their tempo is known. */
  readonly isAsRecorded?: boolean;
  /** A typed tempo, where the guess has another. */
  readonly bpm?: number;
}

/** A sound that can be sent. */
export interface SessionSound {
  /** Its id in the package, unique in the session. */
  readonly key: string;
  /** The sound as a WAV. */
  readonly source: Blob;
  /** Name of the file that was chosen, dropped or recorded; empty if there was none. */
  readonly fileName: string;
  /** The folders it was in, such as `Pack/Loops`; null if that is unknown. */
  readonly folderName: string | null;
  readonly header: WavHeader;
  readonly hints: LoopHints;
  /** The format that it was converted from; null if it was a WAV. */
  readonly from: Converted["from"];
  /** Repairs of its file. */
  readonly repairs: Converted["notes"];
  /** The findings of listening, once they are known. */
  readonly heard?: Heard;
  readonly guess: SoundGuess;
  readonly edits: SoundEdits;
  /** The answer for the recording that it belongs to; every file of it has the same. */
  readonly answer?: GroupAnswer | undefined;
  /** The rest of an app's description, which is sent as it is. */
  readonly rest: Pick<SoundDraft, "file" | "warpMode" | "gainDb">;
}

/** A sound without its audio. */
type DescribedSound = Omit<SessionSound, "source">;

/** Returns the size of these sounds' files. */
export function bytesOf(sounds: readonly Pick<SessionSound, "source">[]): number {
  return sounds.reduce((sum, { source }) => sum + source.size, 0);
}

/** Converts what an app says of a sound to edits. */
export function editsOf({ name, kind, role, bpm, lengthBeats, color }: GivenSound): SoundEdits {
  return {
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(role !== undefined && { role }),
    ...(bpm !== undefined && { bpm: String(bpm) }),
    ...(lengthBeats !== undefined && { lengthBeats: String(lengthBeats) }),
    ...(color !== undefined && { color }),
  };
}

/** Decimals of a tempo that follows from a length; over 4096 beats the rounding is a fraction of a frame. */
const DECIMALS = 6;

/**
 * Returns the properties that are sent with a sound: those that someone has set, otherwise the guess. If only the
 * tempo or only the length of a loop is set, the other follows from it and from the file.
 */
export function choiceOf(sound: DescribedSound): SoundChoice {
  const { guess, edits } = sound;
  return {
    name: guess.title,
    kind: guess.kind,
    role: guess.role,
    bpm: bpmOf(sound),
    lengthBeats: isOtherTempo(sound) ? "" : typedOf(guess.lengthBeats),
    gainDb: sound.rest.gainDb === undefined ? "" : String(sound.rest.gainDb),
    color: null,
    isTempoOpen: false,
    ...edits,
  };
}

function bpmOf({ guess, edits, header }: DescribedSound): string {
  const beats = numberOf(edits.lengthBeats ?? "", BEATS);
  if (beats === undefined) return typedOf(guess.bpm);
  const bpm = typedOf((beats * 60 * header.sampleRateHz) / header.frames);
  return hasNumber(bpm) ? bpm : "";
}

/** A tempo that is set makes the guessed length wrong, unless it is the guessed one, too. */
function isOtherTempo({ edits, guess }: DescribedSound): boolean {
  const bpm = numberOf(edits.bpm ?? "", BPM);
  return bpm !== undefined && bpm !== guess.bpm;
}

function hasNumber(bpm: string | undefined): boolean {
  return numberOf(bpm ?? "", BPM) !== undefined;
}

/** Formats a number as a person would type it. */
function typedOf(value: number | null): string {
  return value === null ? "" : formatNumber(value, DECIMALS);
}

/** Turns guesses into decisions, so that they stay when sounds that they were guessed with are gone. */
export function decided<Sound extends DescribedSound>(sound: Sound): Sound {
  return { ...sound, edits: { ...choiceOf(sound) } };
}

/** Describes a sound for sending. A one-shot has neither tempo nor length. */
export function draftOf(sound: SessionSound): SoundDraft {
  const { name, kind, role, color, gainDb, bpm, lengthBeats } = choiceOf(sound);
  const isLoop = kind === "loop";
  return {
    ...sound.rest,
    source: sound.source,
    id: sound.key,
    name: name.trim() === "" ? undefined : name,
    kind: kind ?? undefined,
    role: role ?? undefined,
    lengthBeats: isLoop ? numberOf(lengthBeats, BEATS) : undefined,
    bpm: isLoop ? numberOf(bpm, BPM) : undefined,
    color: color ?? undefined,
    ...(sound.edits.gainDb !== undefined && { gainDb: numberOf(gainDb, GAIN) }),
  };
}
