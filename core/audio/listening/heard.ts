import type { SoundKind } from "../../manifest/manifest.ts";

/** The findings of listening to a sound (rule Y10); null where it can't tell. */
export interface Heard {
  /** A loop joins its beginning on a grid; a one-shot rings out or swells. */
  readonly kind: SoundKind | null;
  /** The tempo of a loop. */
  readonly bpm: number | null;
  /** Whole beats that fill the sound. */
  readonly lengthBeats: number | null;
  /** 0 to 1; 0 if nothing was found. */
  readonly confidence: number;
}

/** The answer about a sound that says nothing. */
export const NOTHING_HEARD: Heard = { kind: null, bpm: null, lengthBeats: null, confidence: 0 };
