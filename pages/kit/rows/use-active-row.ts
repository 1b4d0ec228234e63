import { useLayoutEffect } from "preact/hooks";

interface ActiveRowOptions {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly key: string | null;
  /** -1 for none. */
  readonly index: number;
  readonly reveal: (index: number) => void;
}

/** Keeps the active row in view, and moves the focus to it when the focus is in the list. */
export function useActiveRow({ scroller, key, index, reveal }: ActiveRowOptions): void {
  // While rendering: a focused row that is removed takes the focus with it.
  const hadFocus = isOnRow(scroller.current);
  useLayoutEffect(() => {
    const list = scroller.current;
    if (key === null || list === null) return;
    reveal(index);
    const row = list.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (hadFocus && row !== null && !row.contains(document.activeElement)) {
      row.focus({ preventScroll: true });
    }
    // The index changes when rows come and go before it: that must not scroll.
  }, [scroller, key, reveal]);
}

function isOnRow(list: HTMLElement | null): boolean {
  const focused = document.activeElement;
  return list?.contains(focused) === true && focused?.closest("[data-key]") !== null;
}
