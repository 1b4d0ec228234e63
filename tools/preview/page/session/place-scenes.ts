import type { PreviewScene } from "../../../../core/protocol/preview-api.ts";

export interface ScenePlaces {
  /** The number of columns to the left of each scene. */
  readonly firstColumns: readonly number[];
  /** The columns of the widest row. */
  readonly columns: number;
}

/**
 * Places each scene's tracks: at the left, or in a row after the tracks of all scenes above, as in a Set into which
 * these packages were imported.
 */
export function placeScenes(scenes: readonly PreviewScene[], isInRow: boolean): ScenePlaces {
  const firstColumns: number[] = [];
  let columns = 0;
  let taken = 0;
  for (const scene of scenes) {
    const count = "error" in scene ? 0 : scene.tracks.length;
    firstColumns.push(isInRow ? taken : 0);
    taken += count;
    columns = Math.max(columns, isInRow ? taken : count);
  }
  return { firstColumns, columns };
}
