import { useEffect } from "preact/hooks";

/** How often the playhead moves for people who want less motion. */
const CALM_MS = 500;

/**
 * Moves an element along its parent while something plays, with each frame; in steps where less motion is wanted.
 * @param position 0 to 1; null while there is none
 */
export function usePlayhead(
  element: { readonly current: HTMLElement | null },
  position: () => number | null,
  isPlaying: boolean,
): void {
  useEffect(() => {
    if (!isPlaying) return undefined;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let frame = 0;
    let drawnAt = -CALM_MS;
    const draw = (now: number): void => {
      frame = requestAnimationFrame(draw);
      if (isCalm && now - drawnAt < CALM_MS) return;
      drawnAt = now;
      const at = position();
      const head = element.current;
      if (head === null) return;
      head.style.visibility = at === null ? "hidden" : "visible";
      head.style.insetInlineStart = `${(at ?? 0) * 100}%`;
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [element, position, isPlaying]);
}
