import type { PreviewReadScene } from "../../../core/protocol/preview-api.ts";
import { useAction } from "../../kit/use-action.ts";
import { usePreview } from "../preview-context.ts";

/** Plays a scene, or stops it if it is the one that plays. */
export function usePlayScene(): {
  readonly toggle: (scene: PreviewReadScene) => void;
  /** Why it can't be played, as a sentence. */
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
