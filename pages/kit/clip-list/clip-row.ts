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

/** What a page gives a clip list. Keys are those of the rows. */
export interface ClipListProps {
  /** The list's name for screen readers. */
  readonly label: string;
  readonly rows: readonly ClipRow[];
  readonly audio: ClipAudio;
  readonly selection: ClipSelection;
  readonly onSelect: (selection: ClipSelection) => void;
  /** Enter or a double click on a row: moves the focus to the page's detail view. */
  readonly onOpen: (key: string) => void;
  /** A tick box in each row; absent where nothing is chosen. */
  readonly ticks?: ClipTicks;
  /** Mute and solo in each row, also by M and S; absent where no scene plays. */
  readonly mixer?: ClipMixer;
  /** Delete and Backspace; absent where rows can't be removed. */
  readonly onRemove?: (keys: readonly string[]) => void;
}

export interface ClipTicks {
  readonly ticked: ReadonlySet<string>;
  /** Rows whose box can't be changed, such as a sound that can't be imported. */
  readonly fixed: ReadonlySet<string>;
  readonly onTick: (keys: readonly string[], isOn: boolean) => void;
}

export interface ClipMixer {
  readonly muted: ReadonlySet<string>;
  readonly soloed: ReadonlySet<string>;
  readonly onMute: (key: string, isOn: boolean) => void;
  readonly onSolo: (key: string, isOn: boolean) => void;
}
