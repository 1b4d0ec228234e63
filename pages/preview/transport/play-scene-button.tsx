import type { VNode } from "preact";
import type { PreviewReadScene } from "../../../core/protocol/preview-api.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import type { SceneView } from "../../kit/playback/scene-view.ts";
import { Refused, useAction } from "../../kit/action.tsx";
import { usePreview } from "../preview-store.ts";
import { usePicked } from "../../kit/use-view.ts";

interface PlaySceneButtonProps {
  readonly scene: PreviewReadScene;
  /** Set in a row of the list, where the button is an icon that the arrow keys reach. */
  readonly isInRow?: boolean;
}

/** Plays a scene, or stops it. Renders nothing if nothing can be played. */
export function PlaySceneButton({ scene, isInRow = false }: PlaySceneButtonProps): VNode | null {
  const { player } = usePreview();
  const turn = usePicked(player, (view) => turnOf(scene.key, view));
  const { toggle, error } = usePlayScene();
  if (usableTracks(scene).length === 0) return null;
  const plays = turn === "loading" || turn === "playing";
  const verb = plays ? "Stop" : "Play";
  return (
    <>
      <button
        type="button"
        class={`${isInRow ? "icon" : "wide"} play ${plays ? "on" : ""}`}
        tabIndex={isInRow ? -1 : 0}
        aria-label={`${verb} ${scene.name}`}
        aria-busy={turn === "loading" || turn === "waiting"}
        onClick={() => toggle(scene)}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={plays ? "M2.5 2.5h7v7h-7z" : "M3 1.5v9l7.5-4.5z"} />
        </svg>
        {!isInRow && verb}
      </button>
      {!isInRow && <Refused error={error} />}
    </>
  );
}

/** Returns what a scene does; `waiting` means for the bar on which it takes over. */
function turnOf(
  key: string,
  { sceneKey, nextKey, isLoading }: SceneView,
): "stopped" | "waiting" | "loading" | "playing" {
  if (nextKey === key) return "waiting";
  if (sceneKey !== key) return "stopped";
  return isLoading ? "loading" : "playing";
}

/** Returns a function that plays a scene, or stops the scene if it is playing. */
export function usePlayScene(): {
  readonly toggle: (scene: PreviewReadScene) => void;
  /** The reason why it can't be played, as a sentence. */
  readonly error: string | null;
} {
  const { player, transport } = usePreview();
  const { begin, error } = useAction();
  const toggle = (scene: PreviewReadScene): void => {
    if (player.view.sceneKey === scene.key) transport.stop();
    else begin(() => transport.play(scene));
  };
  return { toggle, error };
}
