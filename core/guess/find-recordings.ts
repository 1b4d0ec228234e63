import type { Recording } from "./recording.ts";
import type { GuessInput } from "./sound-guess.ts";

/** A recording with the titles of its files. */
export interface FoundRecording {
  readonly recording: Recording;
  /** One for each member, without what all have in common, such as `Drums`; empty if nothing is left. */
  readonly titles: readonly string[];
}

/** Finds the files that belong together, such as the stems of a song (rule Y8). */
export function findRecordings(_inputs: readonly GuessInput[]): readonly FoundRecording[] {
  return [];
}
