import type { VNode } from "preact";
import { SCENE_FILTERS, type SceneView } from "./find-scenes.ts";

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
