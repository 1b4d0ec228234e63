import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Pane } from "./shell.tsx";

/**
 * Moves the focus when a narrow window shows another pane and hides the one that had it: back to what had the
 * focus in that pane before, or to the pane. Returns the frame's ref.
 */
export function usePaneFocus(screen: Pane): { readonly current: HTMLDivElement | null } {
  const root = useRef<HTMLDivElement>(null);
  const last = useRef(new Map<string, HTMLElement>());
  const focused = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const frame = root.current;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      focused.current = target;
      const pane = target.closest<HTMLElement>("[data-pane]");
      if (pane !== null && pane !== target) last.current.set(pane.dataset["pane"] ?? "", target);
    };
    frame?.addEventListener("focusin", remember);
    return () => frame?.removeEventListener("focusin", remember);
  }, []);
  useLayoutEffect(() => {
    const had = focused.current;
    // Browsers differ in whether a hidden element keeps the focus.
    const isLost = had !== null && had.isConnected && had.offsetParent === null;
    if (isLost) focusPane(screen, last.current.get(screen), root.current);
  }, [screen]);
  return root;
}

/**
 * Moves the focus into a pane: to a control of it, otherwise to the pane itself.
 * @param wanted a control that had it before
 */
export function focusPane(
  pane: Pane,
  wanted?: HTMLElement,
  frame: ParentNode | null = document,
): void {
  const box = frame?.querySelector<HTMLElement>(`[data-pane="${pane}"]`);
  if (box === null || box === undefined) return;
  const isThere = wanted !== undefined && box.contains(wanted) && wanted.offsetParent !== null;
  const stop = box.querySelector<HTMLElement>(
    '.pane-content :is([tabindex="0"], button, input, select):not([tabindex="-1"])',
  );
  const target = isThere ? wanted : (stop ?? box);
  target.focus({ preventScroll: !isThere });
}
