import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { PreviewScene } from "../../../../core/protocol/preview-api.ts";
import { Comparison } from "../compare/comparison.tsx";
import { usePreview } from "../preview-context.ts";
import { tempoOf } from "../transport/chosen-scene.ts";
import { usePicked } from "../use-picked.ts";
import { headingIdOf } from "./heading-id.ts";
import { BrokenHead, SceneHead } from "./scene-head.tsx";
import { SceneTracks } from "./scene-tracks.tsx";
import { useNear } from "./use-near.ts";

interface SceneRowProps {
  readonly scene: PreviewScene;
  /** The number of columns to its left. */
  readonly firstColumn: number;
}

/** One scene: its head, its tracks, and the open comparison below them. */
export function SceneRow({ scene, firstColumn }: SceneRowProps): VNode {
  const { player, transport } = usePreview();
  const [box, isNear] = useNear<HTMLLIElement>("100% 0px");
  const [isOpen, setIsOpen] = useState(false);
  const isRead = !("error" in scene);
  const ownBpm = usePicked(transport, (view) => (isRead ? tempoOf(scene, view) : 0));
  // A playing scene keeps its tempo, even if that loop can no longer be used.
  const tempoBpm = usePicked(player, (view) =>
    view.sceneKey === scene.key ? view.tempoBpm : ownBpm,
  );
  // Most changes concern other rows; this one is then not even compared.
  const row = useMemo(() => {
    if ("error" in scene) return <BrokenHead scene={scene} />;
    return (
      <>
        <SceneHead
          scene={scene}
          firstColumn={firstColumn}
          isOpen={isOpen}
          onOpen={() => setIsOpen(!isOpen)}
        />
        {isNear && <SceneTracks scene={scene} tempoBpm={tempoBpm} firstColumn={firstColumn} />}
        {isOpen && scene.golden.status !== "same" && (
          <Comparison scene={scene} onAccepted={() => setIsOpen(false)} />
        )}
      </>
    );
  }, [scene, firstColumn, isOpen, isNear, tempoBpm]);
  return (
    <li
      ref={box}
      class={`scene ${isRead ? "" : "broken"}`}
      style={{ "--before": firstColumn }}
      data-then={headingIdOf(scene)}
    >
      {row}
    </li>
  );
}
