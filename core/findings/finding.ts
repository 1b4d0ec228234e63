import type { SoundMeasures } from "../audio/sound-meter.ts";
import type { WavHeader } from "../audio/wav-header.ts";
import type { TrackPlan } from "../layout/layout.ts";
import type { Sound } from "../manifest/manifest.ts";
import { capitalized } from "../text/capitalized.ts";
import { sentencesOf } from "../text/sentence-of.ts";

/** A sound with all that is known about it once its audio was read. */
export interface HeardSound {
  readonly sound: Sound;
  readonly track: TrackPlan<number | null>;
  readonly header: Pick<WavHeader, "frames" | "sampleRateHz" | "channels">;
  readonly measures: SoundMeasures;
}

/** Something that a sound designer would hear and mend: a warning, not a difference (rule B9). */
export interface Finding {
  readonly code: FindingCode;
  /** Id of the sound. */
  readonly sound: string;
  /** The field of the sound that it is about; null if it is about the audio. */
  readonly field: "name" | "length_beats" | "bpm" | "gain_db" | null;
  /** The words after the sound's name, such as `is silent`; without a full stop. */
  readonly sentence: string;
  /** The value that was compared with the threshold, in the threshold's unit. */
  readonly measured: number;
  readonly threshold: number;
}

export const FINDING_CODES = [
  "LENGTH",
  "CLICK",
  "CLIPPED",
  "DC_OFFSET",
  "SILENT",
  "TEMPO_IN_NAME",
  "LOUDNESS",
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

const FINDING_SENTENCES = {
  LENGTH: "lasts {beats} beats at {bpm} BPM, so the loop doesn't end on a beat",
  LENGTH_STATED: "has a length of {beats} beats, which isn't a whole number of sixteenth notes",
  LENGTH_SILENT: "is {seconds} s shorter than its {beats} beats, so each pass ends in silence",
  CLICK: "clicks at the loop's end (a step of {step}; others are at most {own})",
  CLIPPED: "is clipped in {places}",
  DC_OFFSET: "has a DC offset of {percent} % of full scale",
  SILENT_ZERO: "is silent",
  SILENT: "is silent: its peak is {peak} dBFS",
  TEMPO_IN_NAME: "says {named} in its name, but has a tempo of {bpm} BPM",
  LOUDER: "has {lufs} LUFS, {lu} LU more than the median of the package's {kind}",
  QUIETER: "has {lufs} LUFS, {lu} LU less than the median of the package's {kind}",
} as const satisfies Readonly<Record<string, string>>;

/** Fills in the sentence of a finding. */
export const findingSentence = sentencesOf(FINDING_SENTENCES);

/** Writes a finding as a sentence of its own, for a place that already names the sound. */
export function formatFinding({ sentence }: Pick<Finding, "sentence">): string {
  return `${capitalized(sentence)}.`;
}
