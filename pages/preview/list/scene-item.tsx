import type { VNode } from "preact";
import type { PreviewScene } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { PickItem } from "../../kit/shell/pick-list.tsx";
import { PlaySceneButton } from "../transport/play-scene-button.tsx";
import type { SceneRow } from "./arrange-scenes.ts";
import { nameOfScene, sceneState } from "./scene-state.ts";

/** A scene in the list: its name and state, and where it is, what is in it and whether it was edited. */
export function sceneItem({ scene, isGone }: SceneRow): PickItem {
  const state = isGone ? ({ tone: "quiet", words: "removed" } as const) : sceneState(scene);
  const name = nameOfScene(scene);
  const facts = factsOf(scene);
  return {
    key: scene.key,
    spoken: [name, state.words, ...facts].join(", "),
    content: (
      <>
        <span class="scene-line">
          <bdi>{name}</bdi>
          <span class={`tone ${state.tone}`}>{state.words}</span>
        </span>
        <span class="quiet">{facts.join(" · ")}</span>
      </>
    ),
    ...(!isGone && { button: <PlayOrRoom scene={scene} /> }),
  };
}

function factsOf(scene: PreviewScene): readonly string[] {
  const edited = scene.manifest?.isChanged === true ? ["edited"] : [];
  if ("error" in scene) return [...edited, scene.error];
  const tempo = scene.tempoBpm === null ? [] : [`${formatNumber(scene.tempoBpm)} BPM`];
  return [...edited, countOf(scene.tracks.length, "sound"), ...tempo, scene.folder];
}

/** The button's room is kept where there is nothing to play. */
function PlayOrRoom({ scene }: { readonly scene: PreviewScene }): VNode {
  return (
    <span class="play-room">
      {"error" in scene ? null : <PlaySceneButton scene={scene} isInRow />}
    </span>
  );
}
