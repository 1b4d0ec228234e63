import type { VNode } from "preact";
import type { SceneFilter } from "./filter-scenes.ts";

interface SessionControlsProps {
  readonly isSideBySide: boolean;
  readonly onSideBySide: (isOn: boolean) => void;
  /** null where there are too few scenes to need one. */
  readonly filter: SceneFilter | null;
  readonly onFilter: (filter: SceneFilter) => void;
}

/** How the session is laid out, and what of it is shown. */
export function SessionControls(props: SessionControlsProps): VNode {
  const { isSideBySide, onSideBySide, filter, onFilter } = props;
  return (
    <div class="controls">
      {filter !== null && (
        <>
          <input
            type="search"
            aria-label="Filter scenes by name or folder"
            placeholder="Filter by name or folder"
            value={filter.text}
            onInput={({ currentTarget }) => onFilter({ ...filter, text: currentTarget.value })}
          />
          <label class="choice">
            <input
              type="checkbox"
              checked={filter.isOnlyDiffering}
              onChange={({ currentTarget }) =>
                onFilter({ ...filter, isOnlyDiffering: currentTarget.checked })
              }
            />
            Show changes only
          </label>
        </>
      )}
      <button
        type="button"
        class="toggle"
        aria-pressed={isSideBySide}
        onClick={() => onSideBySide(!isSideBySide)}
      >
        Side by side, as in Live
      </button>
    </div>
  );
}
