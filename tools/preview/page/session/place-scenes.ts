import type { PreviewScene } from "../../../../core/protocol/preview-api.ts";

/** Where the scenes' columns are. */
export interface ScenePlaces {
  /** How many columns are left of each scene's first one, in the order of the scenes. */
  readonly firstColumns: readonly number[];
  /** Columns of the widest row. */
  readonly columns: number;
}

/**
 * Places each scene's tracks: side by side they begin after the tracks of all scenes above, as in a Set that these
 * packages were imported into one after another; else at the left.
 */
export function placeScenes(scenes: readonly PreviewScene[], isSideBySide: boolean): ScenePlaces {
  const firstColumns: number[] = [];
  let columns = 0;
  let taken = 0;
  for (const scene of scenes) {
    const count = "error" in scene ? 0 : scene.tracks.length;
    firstColumns.push(isSideBySide ? taken : 0);
    taken += count;
    columns = Math.max(columns, isSideBySide ? taken : count);
  }
  return { firstColumns, columns };
}
