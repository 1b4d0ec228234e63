import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PanelTrackPlan } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { beatLines, formatOutline } from "../../../core/page/peaks.ts";
import { OUTLINE_BYTES, PLAY_BYTES } from "../../../core/page/sound-limits.ts";
import { usePlays } from "../../../web/use-plays.ts";
import { keyOf, type SoundPlace } from "./sound-cache.ts";

const WIDTH = 160;
const HEIGHT = 32;

interface SoundOutlineProps {
  readonly place: SoundPlace;
  /** Of its file; null where it is unknown. */
  readonly bytes: number | null;
  readonly track: PanelTrackPlan | undefined;
}

/** A sound's waveform with its beats; fetched when it scrolls into view, unless it is large. */
export function SoundOutline({ place, bytes, track }: SoundOutlineProps): VNode {
  const box = useRef<SVGSVGElement>(null);
  const peaks = useOutline(place, bytes, box);
  const beats = track === undefined || "error" in track || !track.looping ? [] : beatsOf(track);
  return (
    <svg
      ref={box}
      class="outline"
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {beats.map((part) => (
        <path key={part} class="beat" d={`M${part * WIDTH} 0v${HEIGHT}`} />
      ))}
      {peaks !== null && <path class="shape" d={formatOutline(peaks, WIDTH, HEIGHT)} />}
    </svg>
  );
}

function beatsOf(track: Exclude<PanelTrackPlan, { readonly error: string }>): readonly number[] {
  const { durationSeconds, tempoBpm } = track;
  return durationSeconds === null || tempoBpm === null ? [] : beatLines(durationSeconds, tempoBpm);
}

function useOutline(
  { packageId, soundId }: SoundPlace,
  bytes: number | null,
  box: { readonly current: SVGSVGElement | null },
): readonly number[] | null {
  const { player, soundCache } = usePanel();
  const plays = usePlays(player, keyOf({ packageId, soundId }));
  const [peaks, setPeaks] = useState<readonly number[] | null>(null);
  // Playback fetches the file anyway.
  const maxBytes = plays ? PLAY_BYTES : OUTLINE_BYTES;
  useEffect(() => {
    const seen = box.current;
    if (seen === null || (bytes ?? 0) > maxBytes) return undefined;
    const draw = async (): Promise<void> => {
      try {
        setPeaks(await soundCache.outline({ packageId, soundId }, maxBytes));
      } catch {
        // The outline is optional; Play reports the error.
      }
    };
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      watch.disconnect();
      void draw();
    });
    watch.observe(seen);
    return () => watch.disconnect();
  }, [soundCache, packageId, soundId, bytes, maxBytes, box]);
  return peaks;
}
