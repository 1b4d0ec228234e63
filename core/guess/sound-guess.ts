import type { LoopHints } from "../audio/read-loop-hints.ts";
import type { SoundKind, SoundRole } from "../manifest/manifest.ts";
import type { MessageKey } from "../messages/en/english.ts";
import type { Translate } from "../messages/translate.ts";
import type { LoopLength } from "./loop-lengths.ts";

/** What is known of a sound before anybody has listened to it. */
export interface GuessInput {
  /** With or without its extension; without its folder. */
  readonly fileName: string;
  /** The folders it lies in, as far as they are known, such as `Drum Loops 124` or `Pack/One Shots`. */
  readonly folderName?: string | undefined;
  readonly frames: number;
  readonly sampleRateHz: number;
  readonly hints: LoopHints;
  /** The tempo that a person has given for the package. */
  readonly packageBpm?: number | undefined;
}

/** How sure each part of a guess is, from 0 (a default, or nothing found) to 1. */
export interface GuessConfidence {
  readonly kind: number;
  readonly bpm: number;
  readonly role: number;
  readonly key: number;
  readonly title: number;
}

/** What a sound probably is. A person can change all of it. */
export interface SoundGuess {
  /** Its readable name without tempo, key and extension, such as `Amen Loop`; never empty. */
  readonly title: string;
  /** null: undecided. A person must say, and it must not become a one-shot in silence. */
  readonly kind: SoundKind | null;
  readonly role: SoundRole | null;
  /** Of a loop; null on a loop is undecided: a person must say. */
  readonly bpm: number | null;
  /** Whole beats of a loop without its tail. */
  readonly lengthBeats: number | null;
  /**
   * Where the tempo is undecided: a usual number of beats that fills the file, for a person to take. Of any length there is
   * one, so it is no guess.
   */
  readonly likely: LoopLength | null;
  /** Such as `C minor` or `F# major`. Only shown: the manifest has no such field. */
  readonly key: string | null;
  readonly confidence: GuessConfidence;
  /** One or two short English sentences: `reasons`, formatted. */
  readonly because: string;
  /** For `formatReasons`, in any language. */
  readonly reasons: readonly GuessReason[];
}

/** The texts that a reason can have. */
type GuessReasonKey = Extract<MessageKey, `guess.${string}`>;

/** One reason for a guess, to be written in any language. */
export interface GuessReason {
  readonly key: GuessReasonKey;
  /** The words that it quotes; may be empty. */
  readonly text: string;
  /** Beats; may be 0. */
  readonly count: number;
}

/** Reasons as a person reads them: one or two short sentences. */
export function formatReasons(t: Translate, reasons: readonly GuessReason[]): string {
  return reasons.map(({ key, text, count }) => t(key, { text, count })).join(" ");
}
