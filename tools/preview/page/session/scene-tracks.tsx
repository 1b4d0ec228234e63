import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { PreviewReadScene } from "../../../../core/protocol/preview-api.ts";
import { planPlayback } from "../playback/plan-playback.ts";
import { audibleSounds } from "../playback/scene-view.ts";
import { usePreview } from "../preview-context.ts";
import { usePicked } from "../use-picked.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import { ClipCell } from "./clip-cell.tsx";
import { headingIdOf } from "./heading-id.ts";
import { TrackHead } from "./track-head.tsx";
import { UnusableClip } from "./unusable-clip.tsx";
import { pictureClip } from "./picture-clip.ts";
import { usePlayhead } from "./use-playhead.ts";

interface SceneTracksProps {
  readonly scene: PreviewReadScene;
  /** The tempo at which the scene plays, or would play. */
  readonly tempoBpm: number;
  readonly firstColumn: number;
}

/** A scene's tracks with their clips, one per column. */
export function SceneTracks({ scene, tempoBpm, firstColumn }: SceneTracksProps): VNode {
  const { key, tracks, warnings } = scene;
  const table = useRef<HTMLTableElement>(null);
  const parts = planPlayback(usableTracks(scene), tempoBpm);
  usePlayhead(table, key, useDrawnSeconds(scene));
  const { player } = usePreview();
  const ids = parts.map(({ soundId }) => soundId);
  // A string, so that muting in other scenes doesn't render this one again.
  const heard = usePicked(player, (view) => JSON.stringify([...audibleSounds(view, key, ids)]));
  const heardIds = new Set<unknown>(JSON.parse(heard));
  const partOf = new Map(parts.map((part) => [part.soundId, part]));
  return (
    <table
      ref={table}
      class="tracks"
      aria-labelledby={headingIdOf(scene)}
      style={{ "--own-columns": tracks.length }}
    >
      <thead>
        <tr>
          {tracks.map((track, index) => (
            <TrackHead
              key={track.id}
              sceneKey={key}
              track={track}
              number={firstColumn + index + 1}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {tracks.map((track) => {
            const own = warnings.filter(({ sound }) => sound === track.id);
            return "error" in track ? (
              <UnusableClip key={track.id} track={track} warnings={own} />
            ) : (
              <ClipCell
                key={track.id}
                sceneKey={key}
                track={track}
                warnings={own}
                part={partOf.get(track.id)}
                isHeard={heardIds.has(track.id)}
              />
            );
          })}
        </tr>
      </tbody>
    </table>
  );
}

function useDrawnSeconds(scene: PreviewReadScene): ReadonlyMap<string, number> {
  return useMemo(
    () => new Map(usableTracks(scene).map((track) => [track.id, pictureClip(track).drawnSeconds])),
    [scene],
  );
}
