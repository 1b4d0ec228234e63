/** What a refusal is about, as far as it is known (rule E3). */
export interface RefusalSubject {
  /** Id of the sound. */
  readonly sound?: string;
  /** The sound's `file`. */
  readonly file?: string;
  /** The property, such as `sha256`. */
  readonly field?: string;
  /** The sound's place in the package, from 1. */
  readonly position?: number;
}
