import type { VNode } from "preact";
import type { PreviewTrack } from "../../../../core/protocol/preview-api.ts";
import { usePreview } from "../preview-context.ts";
import { soundKey } from "../playback/scene-view.ts";
import { usePicked } from "../use-picked.ts";
import { inkOn } from "./ink-on.ts";

interface TrackHeadProps {
  readonly sceneKey: string;
  readonly track: PreviewTrack;
  /** The column's, from 1; sounds that can’t be used count, too. */
  readonly number: number;
}

/** A track: its number, name and colour, and its solo and mute buttons. */
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
          <HeardToggle verb="Solo" sceneKey={sceneKey} track={track} />
          <HeardToggle verb="Mute" sceneKey={sceneKey} track={track} />
        </div>
      )}
    </th>
  );
}

/** A palette colour with readable text on it. */
export function paint(color: string): { readonly background: string; readonly color: string } {
  return { background: color, color: inkOn(color) };
}

function HeardToggle(props: Omit<TrackHeadProps, "number"> & { readonly verb: "Solo" | "Mute" }) {
  const { sceneKey, track, verb } = props;
  const { player } = usePreview();
  const isSolo = verb === "Solo";
  const key = soundKey(sceneKey, track.id);
  const isOn = usePicked(player, ({ soloed, muted }) => (isSolo ? soloed : muted).has(key));
  const toggle = (): void =>
    isSolo ? player.setSolo(sceneKey, track.id, !isOn) : player.setMuted(sceneKey, track.id, !isOn);
  return (
    <button
      type="button"
      class={verb.toLowerCase()}
      aria-label={`${verb} ${track.clip}`}
      aria-pressed={isOn}
      onClick={toggle}
    >
      {verb.charAt(0)}
    </button>
  );
}
