import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../page-language.ts";
import { usePicked } from "../use-view.ts";
import type { ScenePlayer } from "./scene-player.ts";
import type { SceneView } from "./scene-view.ts";

interface BarSliderProps {
  readonly player: ScenePlayer;
  readonly sceneKey: string;
  /** Length of the scene at its tempo; 0 while it isn't known. */
  readonly beats: number;
  readonly beatsPerBar: number;
}

/** Rounding error of a length, in bars. */
const ROUNDING_BARS = 1e-4;
/** The longest position that has room. */
const LONGEST = { bar: "888.8", bars: "888" };

/**
 * The position of a scene in bars, and the bar from which it plays (rule V19). Its size depends on the language alone.
 */
export function BarSlider({ player, sceneKey, beats, beatsPerBar }: BarSliderProps): VNode {
  const cue = usePicked(player, ({ cues }) => cues.get(sceneKey) ?? 0);
  const heard = useHeardBeat(player, sceneKey);
  // A bar that is dragged to, until it is let go.
  const [wanted, setWanted] = useState<number | null>(null);
  const bars = Math.max(1, Math.ceil(beats / beatsPerBar - ROUNDING_BARS));
  // A scene with loops plays on; its position counts within its longest sound.
  const beat = (heard ?? cue) % (bars * beatsPerBar);
  const bar = wanted ?? Math.floor(beat / beatsPerBar) + 1;
  const beatInBar = wanted === null ? Math.floor(beat % beatsPerBar) + 1 : 1;
  return (
    <div class="bars">
      <input
        type="range"
        min={1}
        max={bars}
        step={1}
        value={bar}
        disabled={bars === 1}
        aria-label={t("clips.position")}
        aria-valuetext={wordsOf(String(bar), bars)}
        onInput={({ currentTarget }) => setWanted(currentTarget.valueAsNumber)}
        onChange={({ currentTarget }) => {
          setWanted(null);
          void player.seek(sceneKey, (currentTarget.valueAsNumber - 1) * beatsPerBar);
        }}
      />
      <span class="bars-words" aria-hidden="true">
        <span class="bars-room" data-words={t("clips.bar", LONGEST)} />
        <span>{wordsOf(`${bar}.${beatInBar}`, bars)}</span>
      </span>
    </div>
  );
}

function wordsOf(bar: string, bars: number): string {
  return t("clips.bar", { bar, bars: String(bars) });
}

/** Returns the beat of a scene that is heard, from 0; null while the scene isn't. */
function useHeardBeat(player: ScenePlayer, sceneKey: string): number | null {
  const isPlaying = usePicked(player, (view) => isHeard(view, sceneKey));
  const [beat, setBeat] = useState<number | null>(null);
  useEffect(() => {
    if (!isPlaying) return undefined;
    let frame = 0;
    const look = (): void => {
      frame = requestAnimationFrame(look);
      const now = player.positionBeats();
      setBeat(now === null ? null : Math.floor(now));
    };
    look();
    return () => {
      cancelAnimationFrame(frame);
      setBeat(null);
    };
  }, [player, isPlaying]);
  return beat;
}

function isHeard(view: SceneView, sceneKey: string): boolean {
  return view.sceneKey === sceneKey && !view.isLoading;
}
