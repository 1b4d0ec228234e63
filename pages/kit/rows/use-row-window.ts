import { useCallback, useLayoutEffect, useState } from "preact/hooks";
import { windowOf } from "./rows.ts";

/** Number of rows by which the window moves, so that most frames render nothing while a list scrolls. */
const STEP_ROWS = 4;
/** Number of rows rendered before the list's height is known. */
const FIRST_ROWS = 24;

export interface RowWindow {
  /** The rendered rows' indexes, ascending, including the kept one. */
  readonly indexes: readonly number[];
  readonly rowPixels: number;
  /** Number of rows that fit in view, at least 1. */
  readonly pageRows: number;
  /** Scrolls as little as needed to bring a row into view. */
  readonly reveal: (index: number) => void;
}

interface RowWindowOptions {
  /** The element that scrolls. */
  readonly scroller: { readonly current: HTMLElement | null };
  readonly count: number;
  /** The style's name for the height of a row, in rem. */
  readonly rowHeight: "--row" | "--pick-row";
  /** Height of a sticky head in the scroller, in rem. */
  readonly headRem?: number;
  /** Index of a row that is rendered even out of view, because it may have the focus; -1 for none. */
  readonly kept: number;
}

/** Decides which rows of a scrolled list are rendered. All rows have one height. */
export function useRowWindow({
  scroller,
  count,
  rowHeight,
  headRem = 0,
  kept,
}: RowWindowOptions): RowWindow {
  const [view, setView] = useState({ first: 0, rows: FIRST_ROWS });
  const rem = useRem();
  const rowPixels = rem * useStyleRem(rowHeight);
  const headPixels = rem * headRem;
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const look = (): void => {
      const first = STEP_ROWS * Math.floor(box.scrollTop / rowPixels / STEP_ROWS);
      const rows = Math.ceil((box.clientHeight - headPixels) / rowPixels) + STEP_ROWS;
      setView((view) => (view.first === first && view.rows === rows ? view : { first, rows }));
    };
    look();
    box.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    return () => {
      box.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [scroller, rowPixels, headPixels]);
  const reveal = useCallback(
    (index: number): void => {
      const box = scroller.current;
      if (box === null) return;
      const top = index * rowPixels;
      const bottom = headPixels + top + rowPixels - box.clientHeight;
      if (box.scrollTop > top) box.scrollTop = top;
      else if (box.scrollTop < bottom) box.scrollTop = bottom;
    },
    [scroller, rowPixels, headPixels],
  );
  const indexes = windowOf({ ...view, count, kept });
  return { indexes, rowPixels, pageRows: Math.max(1, view.rows - STEP_ROWS - 1), reveal };
}

/** Returns the root's font size in pixels, which a browser's text size changes. */
function useRem(): number {
  const [rem] = useState(
    () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16,
  );
  return rem;
}

/** Returns a height that the style has in rem: rows are higher while a finger points. */
function useStyleRem(name: string): number {
  const read = (): number =>
    Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name));
  const [value, setValue] = useState(read);
  useLayoutEffect(() => {
    const fingers = matchMedia("(pointer: coarse)");
    const look = (): void => setValue(read());
    fingers.addEventListener("change", look);
    return () => fingers.removeEventListener("change", look);
  }, [name]);
  return value;
}

interface ActiveRowOptions {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly key: string | null;
  /** The active row's index; -1 for none. */
  readonly index: number;
  readonly reveal: (index: number) => void;
}

/** Keeps the active row in view, and moves the focus to it when the focus is in the list. */
export function useActiveRow({ scroller, key, index, reveal }: ActiveRowOptions): void {
  // Read while rendering, because a focused row that is removed loses the focus.
  const hadFocus = isOnRow(scroller.current);
  useLayoutEffect(() => {
    const list = scroller.current;
    if (key === null || list === null) return;
    reveal(index);
    const row = list.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (hadFocus && row !== null && !row.contains(document.activeElement)) {
      row.focus({ preventScroll: true });
    }
    // Rows that come and go above change the index, which must not scroll.
  }, [scroller, key, reveal]);
}

function isOnRow(list: HTMLElement | null): boolean {
  const focused = document.activeElement;
  return list?.contains(focused) === true && focused?.closest("[data-key]") !== null;
}

/**
 * Moves the focus between a row and its controls: right to the next one, left to the previous one or to the row itself.
 * Returns whether the key is one of the two.
 */
export function focusControl(row: HTMLElement, key: string): boolean {
  if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
  const controls = [...row.querySelectorAll<HTMLElement>("button, input, a[href]")].filter(
    (control) => control.offsetParent !== null,
  );
  const stops = [row, ...controls];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[Math.max(0, at) + (key === "ArrowRight" ? 1 : -1)];
  next?.focus();
  return true;
}
