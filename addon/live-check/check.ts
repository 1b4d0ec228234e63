import type { LiveFacts } from "../../core/protocol/live-report.ts";
import type { Step, StepResult } from "./steps.ts";

/** Something to do in Live: yields steps, each list for one of Live's callbacks, and gets their results. */
export type Work<Outcome> = Generator<readonly Step[], Outcome, readonly StepResult[]>;

/** One question about Live, and the way to its answer. It leaves the Set as it was. */
export interface Check {
  readonly id: string;
  /** In English. */
  readonly question: string;
  /** @throws {CheckFailedError} if Live can't answer */
  readonly find: (at: CheckPlace) => Work<LiveFacts>;
}

/** What a check may use. */
export interface CheckPlace {
  /** The track of the check, counted from 0. */
  readonly audioTrack: number;
  readonly midiTrack: number;
  readonly sounds: CheckSounds;
}

/** Absolute paths of the check's own sounds. */
export interface CheckSounds {
  /** 8 beats at 120 BPM. */
  readonly loop: string;
  /** 60 beats at 120 BPM: long enough for Live's automatic warping. */
  readonly long: string;
  /** No audio, but named so. */
  readonly broken: string;
}

/** Seconds that `loop` and `long` last. */
export const LOOP_SECONDS = 4;
export const LONG_SECONDS = 30;

/** The mark of the check's tracks, as in docs/use/live.md. */
export const CHECK_RUN = "check";
/** Names of its tracks, scenes and sounds begin so. */
export const CHECK_NAME = "Soundferry check";

/** Live can't be checked; the message is a sentence. */
export class CheckFailedError extends Error {
  override readonly name = "CheckFailedError";
}
