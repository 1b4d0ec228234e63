import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { PreviewScene } from "../../../../core/protocol/preview-api.ts";
import { useView } from "../../../../web/use-view.ts";
import { planPlayback } from "../playback/plan-playback.ts";
import { usePreview } from "../preview-context.ts";
import { usePicked } from "../use-picked.ts";
import { PlaySceneButton } from "./play-scene-button.tsx";
import { TempoField } from "./tempo-field.tsx";
import { chosenScene, tempoOf } from "./chosen-scene.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";

interface TransportBarProps {
  readonly scenes: readonly PreviewScene[];
}

/** Plays the chosen scene at a tempo. Empty if no scene can be played. */
export function TransportBar({ scenes }: TransportBarProps): VNode | null {
  const { player, transport } = usePreview();
  const view = useView(transport);
  const playingKey = usePicked(player, ({ sceneKey }) => sceneKey);
  // Before painting, because the playing scene is part of what is shown.
  useLayoutEffect(() => void transport.follow(scenes), [transport, scenes]);
  const { played } = view;
  const scene = played?.key === playingKey ? played : chosenScene(scenes, view);
  if (scene === undefined) return null;
  const tempoBpm = tempoOf(scene, view);
  const isStretched = planPlayback(usableTracks(scene), tempoBpm).some((part) => part.isStretched);
  return (
    <div class="transport" role="group" aria-label="Transport">
      <PlaySceneButton scene={scene} isWide />
      <bdi class="name">{scene.name}</bdi>
      <TempoField key={scene.key} scene={scene} tempoBpm={tempoBpm} />
      {!scenes.includes(scene) && (
        <p class="hint">Sounds that can’t be used right now keep playing as they were.</p>
      )}
      {isStretched && (
        <p class="hint">
          Loops whose tempo differs are played faster or slower here, and their pitch changes with
          it. In Live, their warp mode decides.
        </p>
      )}
    </div>
  );
}
