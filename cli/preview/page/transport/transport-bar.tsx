import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { PreviewScene } from "../../../../core/protocol/preview-api.ts";
import { useView } from "../../../../web/use-view.ts";
import { planPlayback } from "../playback/plan-playback.ts";
import { usePreview } from "../preview-context.ts";
import { PlaySceneButton } from "./play-scene-button.tsx";
import { TempoField } from "./tempo-field.tsx";
import { chosenScene, tempoOf } from "./chosen-scene.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";

/** Plays the chosen scene at a tempo. Nothing where no scene can be played. */
export function TransportBar({
  scenes,
}: {
  readonly scenes: readonly PreviewScene[];
}): VNode | null {
  const { player, transport } = usePreview();
  const view = useView(transport);
  const scene = chosenScene(scenes, view);
  useEffect(() => {
    // What plays and is no more could not be stopped by anybody.
    if (player.view.sceneKey !== null && player.view.sceneKey !== scene?.key) transport.stop();
    if (scene !== undefined) void transport.follow(scene);
  }, [player, transport, scene]);
  if (scene === undefined) return null;
  const tempoBpm = tempoOf(scene, view);
  const isStretched = planPlayback(usableTracks(scene), tempoBpm).some((part) => part.isStretched);
  return (
    <div class="transport" role="group" aria-label="Transport">
      <PlaySceneButton scene={scene} isWide />
      <bdi class="name">{scene.name}</bdi>
      <TempoField key={scene.key} scene={scene} tempoBpm={tempoBpm} />
      {isStretched && (
        <p class="hint">
          Loops whose tempo differs are played faster or slower here, and their pitch changes with
          it. In the host their warp mode decides.
        </p>
      )}
    </div>
  );
}
