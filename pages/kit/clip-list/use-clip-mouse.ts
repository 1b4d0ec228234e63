import type { ClipListProps } from "./clip-list-props.ts";
import { selectOne, selectRange, toggleOne } from "./select-clips.ts";

interface ClipMouse {
  readonly onClick: (event: MouseEvent) => void;
  readonly onDblClick: (event: MouseEvent) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
}

interface ClipMouseOptions extends Pick<
  ClipListProps,
  "rows" | "selection" | "onSelect" | "onOpen"
> {
  /** The row that a range starts from. */
  readonly anchor: { current: string | null };
}

/** Clicks on rows: one, with Shift up to it, with Cmd or Ctrl one more; a double click opens. */
export function useClipMouse(options: ClipMouseOptions): ClipMouse {
  const { rows, selection, onSelect, onOpen, anchor } = options;
  return {
    onClick: (event) => {
      const key = rowKeyOf(event.target);
      // A control of a row does its own work; clicking it leaves the selection.
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
      // Tab reached the list, and nothing is active yet.
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
