import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { PreviewState } from "../../../../core/protocol/preview-api.ts";
import { ALL_SCENES, filterScenes } from "./filter-scenes.ts";
import { placeScenes } from "./place-scenes.ts";
import { TransportBar } from "../transport/transport-bar.tsx";
import { SceneRow } from "./scene-row.tsx";
import { SessionControls } from "./session-controls.tsx";
import { useScenesInRow } from "./use-side-by-side.ts";

/** Fewer scenes need no filter. */
const SCENES_WITH_FILTER = 9;

/** The session: a row for each scene, its tracks as columns on one grid (rule V5). */
export function Session({ state }: { readonly state: PreviewState }): VNode {
  const [isInRow, setInRow] = useScenesInRow();
  const [wanted, setWanted] = useState(ALL_SCENES);
  const hasFilter = state.scenes.length >= SCENES_WITH_FILTER;
  const filter = hasFilter ? wanted : ALL_SCENES;
  const scenes = useMemo(() => filterScenes(state.scenes, filter), [state.scenes, filter]);
  const { firstColumns, columns } = placeScenes(scenes, isInRow);
  return (
    <>
      {/* Gets the focus when the transport changes to another scene. */}
      <div class="toolbar" tabIndex={-1}>
        <TransportBar scenes={state.scenes} />
        <SessionControls
          isInRow={isInRow}
          onInRow={setInRow}
          filter={hasFilter ? wanted : null}
          onFilter={setWanted}
        />
      </div>
      {/* A scrollable area must be reachable by keyboard. */}
      <main class="session" tabIndex={0} aria-label="Session">
        {scenes.length === 0 && <p class="calm quiet">No scenes match.</p>}
        <ol class="scenes" style={{ "--columns": columns }}>
          {scenes.map((scene, index) => (
            <SceneRow key={scene.key} scene={scene} firstColumn={firstColumns[index] ?? 0} />
          ))}
        </ol>
      </main>
    </>
  );
}
