import type { VNode } from "preact";
import { LiveRegion } from "../live-region.tsx";
import { t } from "../text.tsx";
import { clipName } from "./clip-facts.ts";
import { ClipPlay } from "./clip-play.tsx";
import type { ClipAudio, ClipRow } from "./clip-row.ts";
import { ClipWave } from "./clip-wave.tsx";
import { useClipPlay } from "./use-clip-play.ts";

interface PlayableWaveProps {
  readonly row: ClipRow;
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly audio: ClipAudio;
}

/** One sound in a detail view: Play, a large waveform with beat lines, and a line for why it can't be played. */
export function PlayableWave({ row, index, audio }: PlayableWaveProps): VNode {
  const { play, failed, announcement } = useClipPlay([row], audio);
  const because = row.silentBecause ?? failed.get(row.key)?.because ?? "";
  return (
    <div class="playable-wave">
      <ClipPlay
        clipKey={row.key}
        name={clipName(t, row, index)}
        audio={audio}
        silentBecause={row.silentBecause}
        onPlay={play}
      />
      <ClipWave clipKey={row.key} audio={audio} beats={beatsOf(row)} />
      <p class="note">{because}</p>
      <LiveRegion {...announcement} />
    </div>
  );
}

function beatsOf({ durationSeconds, tempoBpm, kind }: ClipRow) {
  if (durationSeconds === null || tempoBpm === null || kind !== "loop") return null;
  return { durationSeconds, tempoBpm };
}
