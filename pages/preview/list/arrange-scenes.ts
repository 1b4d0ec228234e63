import type { PreviewScene } from "../../../core/protocol/preview-api.ts";
import { isIn, type SceneView } from "./find-scenes.ts";
import { problemsOf } from "./scene-state.ts";

/** The rows of the list of scenes. */
export interface Arrangement {
  readonly view: SceneView;
  readonly rows: readonly SceneRow[];
}

export interface SceneRow {
  /** As last known. */
  readonly scene: PreviewScene;
  /** Whether its folder was removed. */
  readonly isGone: boolean;
}

/**
 * Arranges the scenes of a view, problems first. While the view stays the same no row moves: what is new comes last,
 * what no longer fits stays, and so does what was removed (rule V5).
 */
export function arrangeScenes(
  before: Arrangement | null,
  scenes: readonly PreviewScene[],
  view: SceneView,
): Arrangement {
  const isSameView = before?.view.text === view.text && before.view.filter === view.filter;
  if (before === null || !isSameView) return { view, rows: problemsFirst(scenes, view) };
  const now = new Map(scenes.map((scene) => [scene.key, scene]));
  const known = new Set(before.rows.map(({ scene }) => scene.key));
  const kept = before.rows.map((row): SceneRow => {
    const scene = now.get(row.scene.key);
    if (scene === undefined) return row.isGone ? row : { scene: row.scene, isGone: true };
    return scene === row.scene && !row.isGone ? row : { scene, isGone: false };
  });
  const added = scenes.filter((scene) => !known.has(scene.key) && isIn(view, scene));
  return { view, rows: [...kept, ...added.map(asRow)] };
}

function problemsFirst(scenes: readonly PreviewScene[], view: SceneView): readonly SceneRow[] {
  return scenes
    .filter((scene) => isIn(view, scene))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(asRow);
}

/** Scenes of one rank stay in the order of their folders. */
function rankOf(scene: PreviewScene): number {
  if ("error" in scene) return 0;
  const { errors, warnings } = problemsOf(scene);
  if (errors > 0) return 1;
  return warnings > 0 ? 2 : 3;
}

function asRow(scene: PreviewScene): SceneRow {
  return { scene, isGone: false };
}
