import type { VNode } from "preact";
import type { PreviewReadScene } from "../../../../core/protocol/preview-api.ts";
import { Refused } from "../../../../web/refused.tsx";
import { useAction } from "../../../../web/use-action.ts";
import { usePreview } from "../preview-context.ts";
import { usePicked } from "../use-picked.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";

interface PlaySceneButtonProps {
  readonly scene: PreviewReadScene;
  /** Whether to show the word beside the icon. */
  readonly isWide?: boolean;
}

/** Plays a scene, or stops it. Empty if nothing can be played. */
export function PlaySceneButton({ scene, isWide = false }: PlaySceneButtonProps): VNode | null {
  const { player, transport } = usePreview();
  const turn = usePicked(player, ({ sceneKey, isLoading }) =>
    sceneKey !== scene.key ? "stopped" : isLoading ? "loading" : "playing",
  );
  const plays = turn !== "stopped";
  const { begin, error } = useAction();
  if (usableTracks(scene).length === 0) return null;
  const verb = plays ? "Stop" : "Play";
  return (
    <>
      <button
        type="button"
        class={`play ${isWide ? "wide" : ""} ${plays ? "playing" : ""}`}
        aria-label={`${verb} ${scene.name}`}
        aria-busy={turn === "loading"}
        onClick={plays ? () => transport.stop() : () => begin(() => transport.play(scene))}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={plays ? "M2.5 2.5h7v7h-7z" : "M3 1.5v9l7.5-4.5z"} />
        </svg>
        {isWide && verb}
      </button>
      <Refused error={error} />
    </>
  );
}
