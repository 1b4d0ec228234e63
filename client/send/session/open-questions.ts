import { formatNumber } from "../../../core/text/format-number.ts";
import { choiceOf, type SessionSound } from "./session-sound.ts";
import type { SessionView } from "./session-view.ts";
import { BEATS, BPM, GAIN, isWrong, numberOf } from "./typed-numbers.ts";

/** The decisions that a person must make before the sounds can be sent. */
export interface Questions {
  /** Sounds that may be loops or one-shots. */
  readonly kind: readonly SessionSound[];
  /** Loops with neither tempo nor length. */
  readonly tempo: readonly SessionSound[];
}

/** Returns the open questions, in the sounds' order. A typed tempo of the package answers for its loops. */
export function questionsOf({ sounds, bpm }: Pick<SessionView, "sounds" | "bpm">): Questions {
  const hasTempo = numberOf(bpm ?? "", BPM) !== undefined;
  return {
    kind: sounds.filter((sound) => choiceOf(sound).kind === null),
    tempo: hasTempo ? [] : sounds.filter(lacksTempo),
  };
}

function lacksTempo(sound: SessionSound): boolean {
  const { kind, bpm, lengthBeats, isTempoOpen } = choiceOf(sound);
  return kind === "loop" && bpm.trim() === "" && lengthBeats.trim() === "" && !isTempoOpen;
}

/** A field of a sound whose text is no number, or is outside its limits. */
export interface WrongNumber {
  readonly key: string;
  readonly field: keyof typeof FIELDS;
}

/** The number fields of a sound, by the names that their inputs have. */
export const FIELDS = { bpm: BPM, beats: BEATS, gain: GAIN } as const;

/** Returns the first number that can't be sent; null if all can. */
export function firstWrong(sounds: readonly SessionSound[]): WrongNumber | null {
  for (const sound of sounds) {
    const { kind, bpm, lengthBeats, gainDb } = choiceOf(sound);
    const isLoop = kind === "loop";
    const { key } = sound;
    if (isLoop && isWrong(bpm, BPM)) return { key, field: "bpm" };
    if (isLoop && isWrong(lengthBeats, BEATS)) return { key, field: "beats" };
    if (sound.edits.gainDb !== undefined && isWrong(gainDb, GAIN)) return { key, field: "gain" };
  }
  return null;
}

/**
 * Returns the package's tempo: the typed one, otherwise the one that most of its loops have. Empty if there is none.
 */
export function tempoOf({ bpm, sounds }: Pick<SessionView, "bpm" | "sounds">): string {
  if (bpm !== null) return bpm;
  // A guess would become the tempo of a loop that is sent without one on purpose.
  if (sounds.some((sound) => choiceOf(sound).isTempoOpen)) return "";
  const counts = new Map<number, number>();
  for (const tempo of sounds.flatMap(tempoOfLoop)) counts.set(tempo, (counts.get(tempo) ?? 0) + 1);
  const [first, second] = [...counts].toSorted((one, other) => other[1] - one[1]);
  return first === undefined || first[1] === second?.[1] ? "" : formatNumber(first[0], 6);
}

function tempoOfLoop(sound: SessionSound): readonly number[] {
  const { kind, bpm } = choiceOf(sound);
  const tempo = kind === "loop" ? numberOf(bpm, BPM) : undefined;
  return tempo === undefined ? [] : [tempo];
}
