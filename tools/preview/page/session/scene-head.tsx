import type { VNode } from "preact";
import { formatSetting } from "../../../../core/page/format-setting.ts";
import type {
  PreviewBrokenScene,
  PreviewReadScene,
} from "../../../../core/protocol/preview-api.ts";
import { PlaySceneButton } from "../transport/play-scene-button.tsx";
import { formatGolden } from "../text/format-golden.ts";
import { Remarks } from "./remarks.tsx";
import { headingIdOf } from "./heading-id.ts";

interface SceneHeadProps {
  readonly scene: PreviewReadScene;
  readonly firstColumn: number;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** A scene's name and remarks; it stays in place while its tracks scroll. */
export function SceneHead({ scene, firstColumn, isOpen, onOpen }: SceneHeadProps): VNode {
  const { name, folder, tempoBpm, tracks, warnings } = scene;
  const own = warnings.filter(({ sound }) => !tracks.some(({ id }) => id === sound));
  return (
    <div class="scene-head">
      <div class="scene-name">
        <PlaySceneButton scene={scene} />
        <h2 id={headingIdOf(scene)} tabIndex={-1}>
          <bdi>{name}</bdi>
        </h2>
      </div>
      <p class="place">
        <bdi>{folder}</bdi>
      </p>
      {tempoBpm !== null && <p class="place">{formatSetting("tempo_bpm", tempoBpm)}</p>}
      <GoldenChip scene={scene} isOpen={isOpen} onOpen={onOpen} />
      {firstColumn > 0 && (
        <button
          type="button"
          class="plain jump"
          onClick={({ currentTarget }) => showTracks(currentTarget)}
        >
          Tracks {firstColumn + 1}–{firstColumn + tracks.length} →
        </button>
      )}
      <Remarks sentences={own.map(({ message }) => message)} />
    </div>
  );
}

/** A folder that can't be used, and why. */
export function BrokenHead({ scene }: { readonly scene: PreviewBrokenScene }): VNode {
  return (
    <>
      <div class="scene-head">
        <div class="scene-name">
          <h2 id={headingIdOf(scene)} tabIndex={-1}>
            <bdi>{scene.folder}</bdi>
          </h2>
        </div>
        <span class="chip bad">can’t be used</span>
      </div>
      <p class="scene-error error">{scene.error}</p>
    </>
  );
}

/** How the layout compares with the accepted one; opens the comparison if there is one. */
function GoldenChip({ scene, isOpen, onOpen }: Omit<SceneHeadProps, "firstColumn">): VNode {
  const { words, tone } = formatGolden(scene.golden);
  if (scene.golden.status === "same") return <span class={`chip ${tone}`}>{words}</span>;
  return (
    <button type="button" class={`chip ${tone}`} aria-expanded={isOpen} onClick={onOpen}>
      {words}
    </button>
  );
}

/** Scrolls to the first of the row's tracks. */
function showTracks(within: Element): void {
  const first = within.closest("li")?.querySelector(".track-head");
  first?.scrollIntoView({ block: "nearest", inline: "start" });
}
