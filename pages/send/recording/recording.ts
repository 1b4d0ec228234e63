/** A recording in progress. */
export interface Recording {
  /** null while the browser asks for the microphone. */
  readonly seconds: number | null;
  /** The peak of the last moment, from 0 to 1. */
  readonly level: number;
}
