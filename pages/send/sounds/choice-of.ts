import { formatNumber } from "../../../core/text/format-number.ts";
import type { PageSound, SoundChoice } from "./page-sound.ts";
import { BEATS, BPM, numberOf } from "./read-number.ts";

/** Decimals of a tempo that follows from a length: over 4096 beats they are a fraction of a frame. */
const DECIMALS = 6;

/**
 * What is sent of a sound: what a person has set, otherwise the guess. Where a person sets only the tempo or
 * only the length of a loop, the other follows from it and from the file.
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

/** A number as a person would type it. */
function typedOf(value: number | null): string {
  return value === null ? "" : formatNumber(value, DECIMALS);
}
