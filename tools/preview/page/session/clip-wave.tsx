import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatOutline } from "../../../../core/page/peaks.ts";
import type { PreviewUsableTrack } from "../../../../core/protocol/preview-api.ts";
import { usePreview } from "../preview-context.ts";
import { pictureClip } from "./picture-clip.ts";
import { useNear } from "./use-near.ts";

const WIDTH = 160;
const HEIGHT = 48;
const DWELL_MS = 100;

interface ClipWaveProps {
  readonly sceneKey: string;
  readonly track: PreviewUsableTrack;
}

/** A sound's waveform over its beats, as wide as the longer of file and loop; the part outside the loop is dimmed. */
export function ClipWave({ sceneKey, track }: ClipWaveProps): VNode {
  // Sounds are fetched one by one, so those scrolled past must not delay the visible ones.
  const [box, isNear] = useNear<HTMLDivElement>("0px 50%", DWELL_MS);
  const peaks = useOutline(sceneKey, track, isNear);
  const { fileEnd, loopEnd, beats } = pictureClip(track);
  return (
    <div ref={box} class="wave" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        {beats.map((part) => (
          <path key={part} class="beat" d={`M${part * WIDTH} 0v${HEIGHT}`} />
        ))}
        <path class="middle" d={`M0 ${HEIGHT / 2}h${WIDTH}`} />
        {peaks !== null && <path class="shape" d={formatOutline(peaks, fileEnd * WIDTH, HEIGHT)} />}
        {loopEnd !== null && loopEnd < 1 && (
          <path
            class="outside"
            d={`M${loopEnd * WIDTH} 0H${WIDTH}V${HEIGHT}H${loopEnd * WIDTH}Z`}
          />
        )}
        {loopEnd !== null && (loopEnd < 1 || fileEnd < 1) && (
          <path class="loop-end" d={`M${loopEnd * WIDTH} 0v${HEIGHT}`} />
        )}
      </svg>
      <span class="playhead" />
    </div>
  );
}

/** null until it is fetched; empty if the file is too large. */
function useOutline(
  sceneKey: string,
  { id, revision, bytes }: PreviewUsableTrack,
  isNear: boolean,
): readonly number[] | null {
  const { player } = usePreview();
  const [peaks, setPeaks] = useState<readonly number[] | null>(null);
  useEffect(() => {
    if (!isNear) return undefined;
    let isWanted = true;
    const draw = async (): Promise<void> => {
      try {
        const drawn = await player.sounds.outline(sceneKey, id, revision, bytes);
        if (isWanted) setPeaks(drawn);
      } catch {
        // The waveform is optional; Play reports what is wrong.
      }
    };
    void draw();
    return () => {
      isWanted = false;
    };
  }, [player, sceneKey, id, revision, bytes, isNear]);
  return peaks;
}
