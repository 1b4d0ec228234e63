import type { VNode } from "preact";
import { SCENE_FILTERS, type SceneView, type SceneRow } from "./arrange-scenes.ts";
import type { PreviewScene } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { PickItem } from "../../kit/shell/pick-list.tsx";
import { PlaySceneButton } from "../transport/play-scene-button.tsx";
import { nameOfScene, sceneState } from "./scene-state.ts";

interface ListBarProps {
  readonly view: SceneView;
  readonly onView: (view: SceneView) => void;
}

const FILTER_WORDS = { all: "All", problems: "Problems", changed: "Changed" } as const;

/** Search and filters of the list of scenes. */
export function ListBar({ view, onView }: ListBarProps): VNode {
  return (
    <div class="list-bar" role="search">
      <input
        type="search"
        aria-label="Search packages, sounds and folders"
        placeholder="Search packages and sounds"
        value={view.text}
        onInput={({ currentTarget }) => onView({ ...view, text: currentTarget.value })}
      />
      <div class="filters" role="group" aria-label="Show">
        {SCENE_FILTERS.map((filter) => (
          <button
            key={filter}
            type="button"
            class="filter"
            aria-pressed={view.filter === filter}
            onClick={() => onView({ ...view, filter })}
          >
            {FILTER_WORDS[filter]}
          </button>
        ))}
      </div>
    </div>
  );
}

/**
 * Returns a scene's item in the list: its name, state, tempo, folder and number of sounds, and whether it was edited.
 */
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
  const heard = scene.findings?.length ?? 0;
  const notes = heard === 0 ? [] : [countOf(heard, "note")];
  return [...edited, countOf(scene.tracks.length, "sound"), ...notes, ...tempo, scene.folder];
}

/** A Play button, whose room is kept where there is nothing to play. */
function PlayOrRoom({ scene }: { readonly scene: PreviewScene }): VNode {
  return (
    <span class="play-room">
      {"error" in scene ? null : <PlaySceneButton scene={scene} isInRow />}
    </span>
  );
}
