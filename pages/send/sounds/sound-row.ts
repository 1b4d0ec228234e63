import { PLAY_BYTES } from "../../../core/audio/sound-limits.ts";
import type { ClipRow, ClipState } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import type { PageView } from "../page-view.ts";
import { choiceOf, type PageSound } from "./page-sound.ts";
import { describeSound } from "./plan-sound.ts";
import { tempoOf } from "./guessed-package.ts";
import { BEATS, BPM, GAIN, numberOf, readNumber } from "./read-number.ts";

/** Returns the rows of the new package's sounds. */
export function soundRows(view: Pick<PageView, "sounds" | "bpm">): readonly ClipRow[] {
  const packageBpm = numberOf(tempoOf(view), BPM);
  const questions = questionsOf(view);
  return view.sounds.map((sound) => soundRow(sound, packageBpm, questions));
}

function soundRow(sound: PageSound, packageBpm: number | undefined, questions: Questions): ClipRow {
  return {
    ...describeSound(sound, packageBpm),
    key: sound.key,
    state: stateOf(sound, questions),
    silentBecause: sound.source.size <= PLAY_BYTES ? null : t("page.tooLargeToPlay"),
  };
}

function stateOf(sound: PageSound, questions: Questions): ClipState | null {
  if (firstWrong([sound]) !== null) return { tone: "bad", words: t("page.wrongNumber") };
  if (questions.kind.includes(sound)) return { tone: "asks", words: t("page.asksKind") };
  if (questions.tempo.includes(sound)) return { tone: "asks", words: t("page.asksTempo") };
  return null;
}

/** A field of a sound whose text is no number, or is outside its limits. */
interface WrongNumber {
  readonly key: string;
  readonly field: "bpm" | "beats" | "gain";
}

/** Returns the first number that can't be sent; null if all can. */
export function firstWrong(sounds: readonly PageSound[]): WrongNumber | null {
  for (const sound of sounds) {
    const { kind, bpm, lengthBeats, gainDb } = choiceOf(sound);
    const isLoop = kind === "loop";
    const { key } = sound;
    if (isLoop && typeof readNumber(bpm, BPM) === "string") return { key, field: "bpm" };
    if (isLoop && typeof readNumber(lengthBeats, BEATS) === "string")
      return { key, field: "beats" };
    if (typeof readNumber(gainDb, GAIN) === "string") return { key, field: "gain" };
  }
  return null;
}

/** The decisions that a person must make before the sounds can be sent. */
export interface Questions {
  /** Sounds that may be loops or one-shots. */
  readonly kind: readonly PageSound[];
  /** Loops with neither tempo nor length. */
  readonly tempo: readonly PageSound[];
}

/** Returns the open questions, in the sounds' order. A typed tempo of the package answers for its loops. */
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
