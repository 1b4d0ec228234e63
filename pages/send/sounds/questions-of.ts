import type { PageView } from "../page-view.ts";
import { choiceOf } from "./choice-of.ts";
import type { PageSound } from "./page-sound.ts";
import { BPM, numberOf } from "./read-number.ts";

/** What a person must decide before the sounds can be sent. */
export interface Questions {
  /** Loop or one-shot? */
  readonly kind: readonly PageSound[];
  /** Loops with neither tempo nor length. */
  readonly tempo: readonly PageSound[];
}

/** The open questions, in the sounds' order. A tempo that a person gave the package answers for its loops. */
export function questionsOf({ sounds, bpm }: Pick<PageView, "sounds" | "bpm">): Questions {
  const hasTempo = numberOf(bpm ?? "", BPM) !== undefined;
  return {
    kind: sounds.filter((sound) => choiceOf(sound).kind === null),
    tempo: hasTempo ? [] : sounds.filter(lacksTempo),
  };
}

function lacksTempo(sound: PageSound): boolean {
  const { kind, bpm, lengthBeats, isTempoOpen } = choiceOf(sound);
  return kind === "loop" && bpm.trim() === "" && lengthBeats.trim() === "" && !isTempoOpen;
}
