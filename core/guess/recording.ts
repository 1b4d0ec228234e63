/** Shorter files are loops or one-shots, even of one length. */
export const RECORDING_MIN_SECONDS = 20;
/** Programs end the files of one recording up to one buffer apart. */
export const RECORDING_BUFFER_FRAMES = 4096;

/** Files of one recording, such as the stems of a song: they get one grid, or none (rule Y8). */
export interface Recording {
  /** Positions of its files in the list that was guessed; at least two. */
  readonly members: readonly number[];
  /** The title that its files have in common, such as `Neon Rain`. */
  readonly title: string;
  /** Length of its shortest file. */
  readonly seconds: number;
  /** The one tempo of all; null if nothing says one: then all are one-shots that start together. */
  readonly bpm: number | null;
  /** The one length of all at that tempo; null without a tempo. */
  readonly lengthBeats: number | null;
}
