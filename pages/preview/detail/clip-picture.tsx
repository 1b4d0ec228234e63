import type { VNode } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { formatOutline } from "../../../core/audio/peaks.ts";
import type { PreviewUsableTrack } from "../../../core/protocol/preview-api.ts";
import { useIsMoving } from "../../kit/clip-list/use-is-playing.ts";
import { usePlayhead } from "../../kit/clip-list/use-playhead.ts";
import { fileSecondsOf, pictureClip } from "../clips/picture-clip.ts";
import { usePreview } from "../preview-context.ts";

const WIDTH = 320;
const HEIGHT = 64;

interface ClipPictureProps {
  readonly sceneKey: string;
  readonly track: PreviewUsableTrack;
  /** The row's. */
  readonly clipKey: string;
}

/** A sound's waveform over its beats, as wide as the longer of file and loop; the part outside the loop is dimmed. */
export function ClipPicture({ sceneKey, track, clipKey }: ClipPictureProps): VNode {
  const { audio } = usePreview();
  const peaks = useOutline(sceneKey, track);
  const { drawnSeconds, fileEnd, loopEnd, beats } = pictureClip(track);
  const playhead = useRef<HTMLSpanElement>(null);
  const isMoving = useIsMoving(audio, clipKey);
  const filePart = drawnSeconds === 0 ? 0 : fileSecondsOf(track) / drawnSeconds;
  const position = useCallback((): number | null => {
    const at = audio.position(clipKey);
    return at === null ? null : at * filePart;
  }, [audio, clipKey, filePart]);
  usePlayhead(playhead, position, isMoving);
  return (
    <div class="wave" aria-hidden="true" style={{ "--clip": track.color ?? "var(--shape)" }}>
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
      <span class="playhead" ref={playhead} hidden={!isMoving} />
    </div>
  );
}

/** null until it is fetched; empty if the file is too large. */
function useOutline(
  sceneKey: string,
  { id, revision, bytes }: PreviewUsableTrack,
): readonly number[] | null {
  const { player } = usePreview();
  const [peaks, setPeaks] = useState<readonly number[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    setPeaks(null);
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
  }, [player, sceneKey, id, revision, bytes]);
  return peaks;
}
