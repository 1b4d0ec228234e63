import { useCallback, useRef, useState } from "preact/hooks";
import { focusControl } from "../rows/use-row-window.ts";
import { rowOfKey } from "../rows/rows.ts";
import { type ClipListProps, type ClipRow, type ClipSelection, NO_SELECTION } from "./clip-row.ts";
import { keepSelection, selectAll, selectOne, selectRange, toggleOne } from "./select-clips.ts";

interface ClipKeysOptions extends ClipListProps {
  /** The active row's index; -1 for none. */
  readonly active: number;
  /** The row that a range starts from. */
  readonly anchor: { current: string | null };
  readonly pageRows: number;
  readonly play: (key: string) => void;
}

/** Handles the keys of a clip list (rule X2). */
export function useClipKeys(options: ClipKeysOptions): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.altKey || event.isComposing) return;
    const row = event.target instanceof Element ? event.target.closest("[data-key]") : null;
    const isOnRow = row === event.target;
    const isDone =
      move(event, options) ||
      (row instanceof HTMLElement && focusControl(row, event.key)) ||
      (isOnRow && act(event, options)) ||
      (isWithCommand(event) && event.key === "a" && selectRows(options));
    if (isDone) event.preventDefault();
  };
}

/** Moves with Up, Down, Home, End, Page Up and Page Down; with Shift the selection grows, with Ctrl it stays. */
function move(event: KeyboardEvent, options: ClipKeysOptions): boolean {
  const { rows, selection, onSelect, active, anchor, pageRows } = options;
  const index = rowOfKey(event.key, active, { count: rows.length, pageRows });
  const key = index === null ? undefined : rows[index]?.key;
  if (key === undefined) return false;
  if (event.shiftKey) {
    anchor.current ??= selection.active;
    onSelect(selectRange(rows, anchor.current, key));
  } else if (isWithCommand(event)) {
    onSelect({ keys: selection.keys, active: key });
  } else {
    anchor.current = key;
    onSelect(selectOne(key));
  }
  return true;
}

function act(event: KeyboardEvent, options: ClipKeysOptions): boolean {
  const { rows, selection, active, play, onOpen, onRemove, onSelect } = options;
  const key = rows[active]?.key;
  if (key === undefined) return false;
  if (event.key === " " && isWithCommand(event)) onSelect(toggleOne(selection, key));
  else if (isWithCommand(event)) return false;
  else if (event.key === " " && !event.repeat) play(key);
  else if (event.key === "Enter") onOpen(key);
  else if (event.key === "Delete" || event.key === "Backspace") {
    if (onRemove === undefined || selection.keys.size === 0) return false;
    onRemove(rows.map((row) => row.key).filter((one) => selection.keys.has(one)));
  } else return mix(event, key, options);
  return true;
}

function mix(
  { key: pressed, repeat }: KeyboardEvent,
  key: string,
  options: ClipKeysOptions,
): boolean {
  const { mixer } = options;
  if (mixer === undefined || repeat) return false;
  if (pressed.toLowerCase() === "m") mixer.onMute(key, !mixer.muted.has(key));
  else if (pressed.toLowerCase() === "s") mixer.onSolo(key, !mixer.soloed.has(key));
  else return false;
  return true;
}

function selectRows({ rows, selection, onSelect }: ClipKeysOptions): boolean {
  onSelect(selectAll(rows, selection));
  return true;
}

function isWithCommand({ ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey;
}

interface ClipMouse {
  readonly onClick: (event: MouseEvent) => void;
  readonly onDblClick: (event: MouseEvent) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
  readonly onDragStart: (event: DragEvent) => void;
}

interface ClipMouseOptions extends Pick<
  ClipListProps,
  "rows" | "selection" | "onSelect" | "onOpen" | "onDrag"
> {
  /** The row that a range starts from. */
  readonly anchor: { current: string | null };
}

/**
 * Handles clicks on rows: a click selects one, with Shift all up to it, with Cmd or Ctrl one more; a double click
 * opens.
 */
export function useClipMouse(options: ClipMouseOptions): ClipMouse {
  const { rows, selection, onSelect, onOpen, onDrag, anchor } = options;
  return {
    onDragStart: ({ target, dataTransfer }) => {
      const key = rowKeyOf(target);
      const file = key === null ? null : (onDrag?.(key) ?? null);
      if (file === null || dataTransfer === null) return;
      dataTransfer.effectAllowed = "copy";
      dataTransfer.setData("DownloadURL", file);
    },
    onClick: (event) => {
      const key = rowKeyOf(event.target);
      // A click on a row's control doesn't change the selection.
      if (key === null || isControl(event.target)) return;
      if (event.shiftKey) {
        onSelect(selectRange(rows, anchor.current ?? selection.active, key));
        return;
      }
      anchor.current = key;
      onSelect(event.metaKey || event.ctrlKey ? toggleOne(selection, key) : selectOne(key));
    },
    onDblClick: (event) => {
      const key = rowKeyOf(event.target);
      if (key !== null && !isControl(event.target)) onOpen(key);
    },
    onFocusIn: (event) => {
      const key = rowKeyOf(event.target);
      // The focus came with Tab, and no row is active yet.
      if (key === null || selection.active !== null || isControl(event.target)) return;
      anchor.current = key;
      onSelect(selectOne(key));
    },
  };
}

function rowKeyOf(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest<HTMLElement>("[data-key]")?.dataset["key"] ?? null;
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, input, .clip-tick") !== null;
}

type Tick = (key: string, isOn: boolean, isRange: boolean) => void;

/**
 * Ticks a row: with Shift, all rows from the one ticked before; in a selection of several, all that are
 * selected. Rows whose box is fixed stay as they are.
 */
export function useClipTicks({ rows, selection, ticks }: ClipListProps): Tick {
  const last = useRef<string | null>(null);
  return useCallback(
    (key, isOn, isRange) => {
      if (ticks === undefined) return;
      const range = isRange ? selectRange(rows, last.current, key).keys : new Set([key]);
      const keys = !isRange && selection.keys.has(key) ? selection.keys : range;
      last.current = key;
      const free = rows
        .map((row) => row.key)
        .filter((one) => keys.has(one) && !ticks.fixed.has(one));
      ticks.onTick(free, isOn);
    },
    [rows, selection, ticks],
  );
}

/** Keeps a clip list's selection valid while its rows change. */
export function useClipSelection(
  rows: readonly ClipRow[],
): readonly [selection: ClipSelection, select: (selection: ClipSelection) => void] {
  const [chosen, select] = useState<ClipSelection>(NO_SELECTION);
  const last = useRef(rows);
  const kept = last.current === rows ? chosen : keepSelection(chosen, rows, last.current);
  last.current = rows;
  // While rendering: no frame shows a row that is gone as selected.
  if (kept !== chosen) select(kept);
  return [kept, select];
}
