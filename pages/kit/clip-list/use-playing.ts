import { useEffect, useState } from "preact/hooks";
import type { ClipAudio } from "./clip-row.ts";

/** Checks whether a sound was started in the list and is playing. */
export function useIsPlaying(audio: ClipAudio, key: string): boolean {
  return useLook(audio, key, isPlaying);
}

/** Checks whether a sound's playhead moves. */
export function useIsMoving(audio: ClipAudio, key: string): boolean {
  return useLook(audio, key, isMoving);
}

type Look = (audio: ClipAudio, key: string) => boolean;

const isPlaying: Look = (audio, key) => audio.isPlaying(key);
const isMoving: Look = (audio, key) => audio.isPlaying(key) || audio.isMoving?.(key) === true;

function useLook(audio: ClipAudio, key: string, look: Look): boolean {
  const [seen, setSeen] = useState(() => look(audio, key));
  useEffect(() => {
    const lookAgain = (): void => setSeen(look(audio, key));
    lookAgain();
    return audio.subscribe(lookAgain);
  }, [audio, key, look]);
  return seen;
}

/** Interval at which the playhead moves for people who want less motion. */
const CALM_MS = 500;

/**
 * Moves an element along its parent in each frame while something plays, or in steps for people who want less motion.
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
