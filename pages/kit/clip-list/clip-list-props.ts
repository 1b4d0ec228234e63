import type { ClipAudio, ClipRow, ClipSelection } from "./clip-row.ts";

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
