import type { VNode } from "preact";
import { formatSetting } from "../../../../core/page/format-setting.ts";
import type {
  PreviewBrokenScene,
  PreviewReadScene,
} from "../../../../core/protocol/preview-api.ts";
import { PlaySceneButton } from "../transport/play-scene-button.tsx";
import { formatGolden } from "../text/format-golden.ts";
import { headingIdOf } from "./heading-id.ts";

interface SceneHeadProps {
  readonly scene: PreviewReadScene;
  readonly firstColumn: number;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** A scene's name and what there is to say of it as a whole; it stays while its tracks are scrolled. */
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
      {own.map(({ message }) => (
        <p key={message} class="remark">
          {message}
        </p>
      ))}
    </div>
  );
}

/** A folder that is no package: why, in its place. */
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

/** How the layout stands to the accepted one; where there is more to see, it opens. */
function GoldenChip({ scene, isOpen, onOpen }: Omit<SceneHeadProps, "firstColumn">): VNode {
  const { words, tone } = formatGolden(scene.golden);
  if (scene.golden.status === "same") return <span class={`chip ${tone}`}>{words}</span>;
  return (
    <button type="button" class={`chip ${tone}`} aria-expanded={isOpen} onClick={onOpen}>
      {words}
    </button>
  );
}

/** Brings the first of the row's tracks to where a row's tracks begin. */
function showTracks(within: Element): void {
  const first = within.closest("li")?.querySelector(".track-head");
  first?.scrollIntoView({ block: "nearest", inline: "start" });
}
