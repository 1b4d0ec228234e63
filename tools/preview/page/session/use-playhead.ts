import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { usePreview } from "../preview-context.ts";
import { usePicked } from "../use-picked.ts";

/** Moves a line through a scene's clips while it plays, unless the user prefers reduced motion. */
export function usePlayhead(
  table: RefObject<HTMLTableElement | null>,
  sceneKey: string,
  /** The length of each clip's picture, by sound id. */
  drawnSeconds: ReadonlyMap<string, number>,
): void {
  const { player } = usePreview();
  const plays = usePicked(player, (view) => view.sceneKey === sceneKey && !view.isLoading);
  useEffect(() => {
    if (!plays || matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
    const lines = linesIn(table.current);
    let frame = 0;
    const move = (): void => {
      for (const [soundId, line] of lines) {
        const seconds = player.filePosition(soundId);
        const part = seconds === null ? 0 : seconds / (drawnSeconds.get(soundId) ?? Infinity);
        line.style.visibility = seconds === null ? "hidden" : "visible";
        line.style.transform = `translateX(${part * 100}%)`;
      }
      frame = requestAnimationFrame(move);
    };
    move();
    return () => {
      cancelAnimationFrame(frame);
      for (const line of lines.values()) line.style.visibility = "hidden";
    };
  }, [plays, player, table, drawnSeconds]);
}

function linesIn(table: HTMLTableElement | null): ReadonlyMap<string, HTMLElement> {
  const lines = new Map<string, HTMLElement>();
  for (const cell of table?.querySelectorAll<HTMLElement>("[data-sound]") ?? []) {
    const line = cell.querySelector<HTMLElement>(".playhead");
    if (line !== null) lines.set(cell.dataset["sound"] ?? "", line);
  }
  return lines;
}
