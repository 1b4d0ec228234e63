import type { VNode } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { beatLines, formatOutline } from "../../../core/audio/peaks.ts";
import type { ClipAudio } from "./clip-row.ts";
import { useIsMoving, usePlayhead } from "./use-playing.ts";
import { ScrollRest } from "../rows/scroll-rest.ts";

/** Size in the drawing's own coordinates, which are stretched to its box. */
const WIDTH = 200;
const HEIGHT = 32;

interface ClipWaveProps {
  readonly clipKey: string;
  readonly audio: ClipAudio;
  /** Facts for the beat lines; without them, none are drawn. */
  readonly beats?: { readonly durationSeconds: number; readonly tempoBpm: number } | null;
}

/** A sound's waveform with its playhead. Empty while the waveform isn't known. */
export function ClipWave({ clipKey, audio, beats = null }: ClipWaveProps): VNode {
  const outline = useOutline(clipKey, audio);
  const playhead = useRef<HTMLSpanElement>(null);
  const isMoving = useIsMoving(audio, clipKey);
  const position = useCallback(() => audio.position(clipKey), [audio, clipKey]);
  usePlayhead(playhead, position, isMoving);
  const lines = beats === null ? [] : beatLines(beats.durationSeconds, beats.tempoBpm);
  return (
    <span class="clip-wave" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        {lines.map((part) => (
          <path key={part} class="beat" d={`M${part * WIDTH} 0v${HEIGHT}`} />
        ))}
        {outline !== null && <path class="shape" d={outline} />}
      </svg>
      <span class="playhead" ref={playhead} hidden={!isMoving} />
    </span>
  );
}

function useOutline(key: string, audio: ClipAudio): string | null {
  const [outline, setOutline] = useState<string | null>(null);
  useEffect(() => {
    let isShown = true;
    setOutline(null);
    const draw = async (): Promise<void> => {
      try {
        const peaks = await audio.outline(key);
        if (isShown) setOutline(formatOutline(peaks, WIDTH, HEIGHT));
      } catch {
        // The outline is optional; Play reports the error.
      }
    };
    // Rows that are only scrolled past don't fetch their sound.
    const cancel = whenScrollingRests(() => void draw());
    return () => {
      isShown = false;
      cancel();
    };
  }, [key, audio]);
  return outline;
}

const rest = new ScrollRest();
let isListening = false;

/**
 * Runs work once nothing on the page scrolls, a moment from now at the earliest. Returns a function that cancels it.
 */
function whenScrollingRests(work: () => void): () => void {
  if (!isListening) {
    isListening = true;
    // Scroll events of elements don't bubble, but are captured.
    document.addEventListener("scroll", () => rest.scrolled(), { capture: true, passive: true });
  }
  return rest.onceResting(work);
}
