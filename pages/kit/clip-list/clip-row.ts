import type { SoundKind, SoundRole } from "../../../core/manifest/manifest.ts";

/** One row of a clip list: what a page knows of a sound. */
export interface ClipRow {
  /** Unique in its list. */
  readonly key: string;
  /** Empty: shown as a placeholder such as `Sound 3`. */
  readonly name: string;
  /** null while nobody has decided. */
  readonly kind: SoundKind | null;
  readonly role: SoundRole | null;
  /** `#RRGGBB`; null means automatic. */
  readonly color: string | null;
  /** null if unknown, or for a one-shot. */
  readonly tempoBpm: number | null;
  readonly lengthBeats: number | null;
  /** Of the file; null if unknown. */
  readonly durationSeconds: number | null;
  /** The row's state in a word or two, such as `Imported` or `Loop?`; null if there is nothing to say. */
  readonly state: ClipState | null;
  /** Why there is no Play, as a sentence; null if it can be played. */
  readonly silentBecause: string | null;
}

export interface ClipState {
  readonly tone: "quiet" | "asks" | "busy" | "good" | "mixed" | "bad";
  readonly words: string;
  /** The whole sentence, where the words are short for one. */
  readonly because?: string;
  /** 0 to 1 while it progresses. */
  readonly progress?: number;
}

/** How a clip list gets its sounds. Keys are those of the rows. */
export interface ClipAudio {
  /** Peaks from 0 to 1. Asked for when a row is first seen; rejects if there is no waveform. */
  outline(key: string): Promise<readonly number[]>;
  /** Starts the sound, or stops it while it plays. Called in the click or key press itself. */
  toggle(key: string): Promise<void>;
  isPlaying(key: string): boolean;
  /** Whether its playhead moves though the list didn't start it, such as in a scene; absent: never. */
  isMoving?(key: string): boolean;
  /** Position in the file from 0 to 1; null while it is silent. Read in each frame while it plays. */
  position(key: string): number | null;
  /** Calls the listener when what plays changes. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
}

/** The selected rows, and the one that the keyboard and the detail view are on. */
export interface ClipSelection {
  readonly keys: ReadonlySet<string>;
  readonly active: string | null;
}

export const NO_SELECTION: ClipSelection = { keys: new Set(), active: null };
