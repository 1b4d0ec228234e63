import type { LiveFacts } from "../../core/protocol/live-report.ts";
import type { Work } from "./steps.ts";

/** One question about Live, and the work that answers it. The Set stays unchanged. */
export interface Check {
  readonly id: string;
  /** The question in English. */
  readonly question: string;
  /** Answers the question. @throws {CheckFailedError} if Live can't answer */
  readonly find: (at: CheckPlace) => Work<LiveFacts>;
}

/** The tracks and sounds that a check may use. */
export interface CheckPlace {
  /** The index of the check's audio track, from 0. */
  readonly audioTrack: number;
  readonly midiTrack: number;
  readonly sounds: CheckSounds;
}

/** The absolute paths of the check's own sounds. */
export interface CheckSounds {
  /** A loop of 8 beats at 120 BPM. */
  readonly loop: string;
  /** A sound of 60 beats at 120 BPM: long enough for Live's automatic warping. */
  readonly long: string;
  /** A sound of three minutes at 120 BPM, whose analysis may end late. */
  readonly minutes: string;
  /** A file that is named like audio, but isn't audio. */
  readonly broken: string;
}

/** The length of `loop` in seconds. */
export const LOOP_SECONDS = 4;
/** The length of `long` in seconds. */
export const LONG_SECONDS = 30;

/** The length of `minutes` in seconds. */
export const MINUTES_SECONDS = 180;

/** The mark of the check's tracks, as in docs/use/live.md. */
export const CHECK_RUN = "check";
/** The start of the names of the check's tracks, scenes and sounds. */
export const CHECK_NAME = "Soundferry check";

/** Live can't be checked; the message is a sentence. */
export class CheckFailedError extends Error {
  override readonly name = "CheckFailedError";
}
