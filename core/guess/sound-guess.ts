import type { Heard } from "../audio/listening/heard.ts";
import type { LoopHints } from "../audio/read-loop-hints.ts";
import type { SoundKind, SoundRole } from "../manifest/manifest.ts";
import type { MessageKey } from "../messages/en/english.ts";
import type { Translate } from "../messages/translate.ts";
import type { LoopLength } from "./loop-lengths.ts";

/** The facts about a sound that a guess starts from. */
export interface GuessInput {
  /** File name, with or without its extension; without its folder. */
  readonly fileName: string;
  /** The folders that it is in, as far as they are known, such as `Drum Loops 124` or `Pack/One Shots`. */
  readonly folderName?: string | undefined;
  readonly frames: number;
  readonly sampleRateHz: number;
  readonly hints: LoopHints;
  /** The tempo that a person has given for the package. */
  readonly packageBpm?: number | undefined;
  /** The findings of listening to it; they answer only what the rest leaves open. */
  readonly heard?: Heard | undefined;
}

/** The confidence of each part of a guess, from 0 (a default, or nothing found) to 1. */
export interface GuessConfidence {
  readonly kind: number;
  readonly bpm: number;
  readonly role: number;
  readonly key: number;
  readonly title: number;
}

/** A guess about a sound. A person can change all of it. */
export interface SoundGuess {
  /** The readable name without tempo, key and extension, such as `Amen Loop`; never empty. */
  readonly title: string;
  /** null if undecided: a person must say. It must not silently become a one-shot. */
  readonly kind: SoundKind | null;
  readonly role: SoundRole | null;
  /** The tempo of a loop; null on a loop is undecided: a person must say. */
  readonly bpm: number | null;
  /** Whole beats of a loop without its tail. */
  readonly lengthBeats: number | null;
  /**
   * A usual number of beats that fills the file, for a person to accept while the tempo is undecided. It exists for any
   * length, so it is no guess.
   */
  readonly likely: LoopLength | null;
  /** The key, such as `C minor` or `F# major`. Only shown: the manifest has no such field. */
  readonly key: string | null;
  readonly confidence: GuessConfidence;
  /** One or two short English sentences: `reasons`, formatted. */
  readonly because: string;
  /** The reasons, to be formatted in any language. */
  readonly reasons: readonly GuessReason[];
}

/** The texts that a reason can have. */
type GuessReasonKey = Extract<MessageKey, `guess.${string}`>;

/** One reason for a guess, to be written in any language. */
export interface GuessReason {
  readonly key: GuessReasonKey;
  /** The quoted words; may be empty. */
  readonly text: string;
  /** Number of beats, or of a recording's files; may be 0. */
  readonly count: number;
  /** The tempo of a recording, or one that was heard. */
  readonly bpm?: number;
}

/** Returns a reason that quotes and counts nothing. */
export function plainReason(key: GuessReasonKey): GuessReason {
  return { key, text: "", count: 0 };
}

/** Formats reasons as one or two short sentences. */
export function formatReasons(t: Translate, reasons: readonly GuessReason[]): string {
  return reasons.map(({ key, text, count, bpm = 0 }) => t(key, { text, count, bpm })).join(" ");
}
