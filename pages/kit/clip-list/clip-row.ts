import type { SoundKind, SoundRole } from "../../../core/manifest/manifest.ts";

/** One row of a clip list: a sound as far as a page knows it. */
export interface ClipRow {
  /** Unique in its list. */
  readonly key: string;
  /** The sound's name; if empty, the list shows a placeholder such as `Sound 3`. */
  readonly name: string;
  /** Loop or one-shot; null while nobody has decided. */
  readonly kind: SoundKind | null;
  readonly role: SoundRole | null;
  /** `#RRGGBB`; null means automatic. */
  readonly color: string | null;
  /** The loop's tempo; null if unknown, or for a one-shot. */
  readonly tempoBpm: number | null;
  readonly lengthBeats: number | null;
  /** Length of the file; null if unknown. */
  readonly durationSeconds: number | null;
  /** The row's state in a word or two, such as `Imported` or `Loop?`; null if there is nothing to say. */
  readonly state: ClipState | null;
  /** The reason why the sound can't be played, as a sentence; null if it can. */
  readonly silentBecause: string | null;
  /** Set if it belongs to a group of rows, which a line at its edge marks. */
  readonly isGrouped?: boolean;
}

export interface ClipState {
  readonly tone: "quiet" | "asks" | "busy" | "good" | "mixed" | "bad";
  readonly words: string;
  /** The whole sentence that the words abbreviate. */
  readonly because?: string;
  /** Progress from 0 to 1; absent while nothing progresses. */
  readonly progress?: number;
}

/** The sounds of a clip list. Keys are those of the rows. */
export interface ClipAudio {
  /** Returns peaks from 0 to 1. The list calls it when a row is first seen; rejects if there is no waveform. */
  outline(key: string): Promise<readonly number[]>;
  /** Starts the sound, or stops it while it plays. The list calls it in the click or key press itself. */
  toggle(key: string): Promise<void>;
  isPlaying(key: string): boolean;
  /** Checks whether the playhead moves although the list didn't start the sound, such as in a scene. Absent: never. */
  isMoving?(key: string): boolean;
  /**
   * Returns the position in the file from 0 to 1; null while it is silent. The list reads it in each frame while it
   * plays.
   */
  position(key: string): number | null;
  /** Calls the listener when what plays changes. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
}

/** The selected rows, and the active row, which has the keyboard and the detail view. */
export interface ClipSelection {
  readonly keys: ReadonlySet<string>;
  readonly active: string | null;
}

export const NO_SELECTION: ClipSelection = { keys: new Set(), active: null };

/** The properties of a clip list. Keys are those of the rows. */
export interface ClipListProps {
  /** The list's name for screen readers. */
  readonly label: string;
  readonly rows: readonly ClipRow[];
  readonly audio: ClipAudio;
  readonly selection: ClipSelection;
  readonly onSelect: (selection: ClipSelection) => void;
  /** Moves the focus to the page's detail view, after Enter or a double click on a row. */
  readonly onOpen: (key: string) => void;
  /** A tick box in each row; absent where nothing is chosen. */
  readonly ticks?: ClipTicks;
  /** Mute and solo in each row, also by M and S; absent where no scene plays. */
  readonly mixer?: ClipMixer;
  /** Removes rows, after Delete or Backspace; absent where rows can't be removed. */
  readonly onRemove?: (keys: readonly string[]) => void;
  /** Returns the file that a drag of the row carries, as a `DownloadURL`; absent where rows can't be dragged. */
  readonly onDrag?: (key: string) => string | null;
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
