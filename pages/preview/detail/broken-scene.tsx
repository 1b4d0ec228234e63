import type { VNode } from "preact";
import type { PreviewBrokenScene } from "../../../core/protocol/preview-api.ts";
import { FaultList } from "./fault-list.tsx";

/** Why a folder can't be used, in place of its sounds. */
export function BrokenScene({ scene }: { readonly scene: PreviewBrokenScene }): VNode {
  const { error, manifest } = scene;
  return (
    // A scrollable area must be reachable by keyboard.
    <div class="pane-note" tabIndex={0} role="group" aria-label={`Problems of ${scene.folder}`}>
      <p class="tone bad">{error}</p>
      <FaultList faults={manifest?.faults ?? []} />
    </div>
  );
}
