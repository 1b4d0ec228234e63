import type { VNode } from "preact";
import type { SceneFilter } from "./filter-scenes.ts";

interface SessionControlsProps {
  readonly isInRow: boolean;
  readonly onInRow: (isOn: boolean) => void;
  /** null if there are too few scenes to filter. */
  readonly filter: SceneFilter | null;
  readonly onFilter: (filter: SceneFilter) => void;
}

/** Controls for the session's arrangement and filter. */
export function SessionControls(props: SessionControlsProps): VNode {
  const { isInRow, onInRow, filter, onFilter } = props;
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
      <button type="button" class="toggle" aria-pressed={isInRow} onClick={() => onInRow(!isInRow)}>
        Side by side, as in Live
      </button>
    </div>
  );
}
