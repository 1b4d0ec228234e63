import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { beatLines, formatOutline } from "../../../core/page/peaks.ts";
import { usePage } from "../page-context.ts";
import type { PageSound } from "./page-sound.ts";

const WIDTH = 160;
const HEIGHT = 32;

interface OutlineProps {
  readonly sound: PageSound;
  /** The tempo of a loop; null if there are no beats to show. */
  readonly tempoBpm: number | null;
}

/** A sound's waveform with its beats. */
export function Outline({ sound, tempoBpm }: OutlineProps): VNode {
  const { soundCache } = usePage();
  const { source, header } = sound;
  const [peaks, setPeaks] = useState<readonly number[]>([]);
  useEffect(() => {
    let isShown = true;
    void soundCache.outline(source).then((drawn) => {
      if (isShown) setPeaks(drawn);
    });
    return () => {
      isShown = false;
    };
  }, [soundCache, source]);
  const seconds = header.frames / header.sampleRateHz;
  return (
    <svg
      class="outline"
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {(tempoBpm === null ? [] : beatLines(seconds, tempoBpm)).map((part) => (
        <path key={part} class="beat" d={`M${part * WIDTH} 0v${HEIGHT}`} />
      ))}
      {peaks.length > 0 && <path class="shape" d={formatOutline(peaks, WIDTH, HEIGHT)} />}
    </svg>
  );
}
