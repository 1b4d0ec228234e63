import type { VNode } from "preact";
import type { PreviewTrack } from "../../../../core/protocol/preview-api.ts";
import { usePreview } from "../preview-context.ts";
import { soundKey } from "../playback/scene-view.ts";
import { usePicked } from "../use-picked.ts";
import { inkOn } from "./ink-on.ts";

interface TrackHeadProps {
  readonly sceneKey: string;
  readonly track: PreviewTrack;
  /** Of its column, from 1; a sound that can’t be used has one, too. */
  readonly number: number;
}

/** A track: its name, number and colour, and what is heard of it. */
export function TrackHead({ sceneKey, track, number }: TrackHeadProps): VNode {
  const isUsable = !("error" in track);
  return (
    <th scope="col" class={`track-head ${isUsable ? "" : "unusable"}`}>
      <div class="track-name" style={isUsable ? paint(track.color) : {}} title={track.track}>
        <span class="number">{number}</span>
        <bdi>{track.track}</bdi>
      </div>
      {isUsable && (
        <div class="track-buttons">
          <SoloButton sceneKey={sceneKey} track={track} />
          <MuteButton sceneKey={sceneKey} track={track} />
        </div>
      )}
    </th>
  );
}

/** A palette colour with text that can be read on it. */
export function paint(color: string): { readonly background: string; readonly color: string } {
  return { background: color, color: inkOn(color) };
}

type HeardProps = Omit<TrackHeadProps, "number">;

function SoloButton({ sceneKey, track: { id, clip } }: HeardProps): VNode {
  const { player } = usePreview();
  const isOn = usePicked(player, ({ soloed }) => soloed.has(soundKey(sceneKey, id)));
  return (
    <button
      type="button"
      class="solo"
      aria-label={`Solo ${clip}`}
      aria-pressed={isOn}
      onClick={() => player.setSolo(sceneKey, id, !isOn)}
    >
      S
    </button>
  );
}

function MuteButton({ sceneKey, track: { id, clip } }: HeardProps): VNode {
  const { player } = usePreview();
  const isOn = usePicked(player, ({ muted }) => muted.has(soundKey(sceneKey, id)));
  return (
    <button
      type="button"
      class="mute"
      aria-label={`Mute ${clip}`}
      aria-pressed={isOn}
      onClick={() => player.setMuted(sceneKey, id, !isOn)}
    >
      M
    </button>
  );
}
