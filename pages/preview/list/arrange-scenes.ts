import type { PreviewScene, PreviewTrack } from "../../../core/protocol/preview-api.ts";
import { hasWord, hasWords, wordsOf } from "../../kit/rows/find-words.ts";
import { problemsOf, hasProblems, isChanged } from "./scene-state.ts";

/** The rows of the list of scenes. */
export interface Arrangement {
  readonly view: SceneView;
  readonly rows: readonly SceneRow[];
}

export interface SceneRow {
  /** The scene as last known. */
  readonly scene: PreviewScene;
  /** True if its folder was removed. */
  readonly isGone: boolean;
}

/**
 * Arranges the scenes of a view, problems first. While the view stays the same, no row moves: new scenes come last, and
 * scenes that no longer fit or were removed stay (rule V5).
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

/** Ranks a scene by its problems; scenes of one rank stay in the order of their folders. */
function rankOf(scene: PreviewScene): number {
  if ("error" in scene) return 0;
  const { errors, warnings } = problemsOf(scene);
  if (errors > 0) return 1;
  return warnings > 0 ? 2 : 3;
}

function asRow(scene: PreviewScene): SceneRow {
  return { scene, isGone: false };
}

export const SCENE_FILTERS = ["all", "problems", "changed"] as const;
type SceneFilter = (typeof SCENE_FILTERS)[number];

/** The search and the filter of the list of scenes. */
export interface SceneView {
  /** Words that must all occur in the names of a scene: its own, its folder, its sounds and their files; ignores case. */
  readonly text: string;
  readonly filter: SceneFilter;
}

/** Checks whether the view has a search. */
export function isSearching({ text }: Pick<SceneView, "text">): boolean {
  return text.trim() !== "";
}

export const ALL_SCENES: SceneView = { text: "", filter: "all" };

export function isIn({ text, filter }: SceneView, scene: PreviewScene): boolean {
  if (filter === "problems" && !hasProblems(scene)) return false;
  if (filter === "changed" && !isChanged(scene)) return false;
  const words = wordsOf(text);
  if (words.length === 0) return true;
  const sounds = "error" in scene ? [] : scene.tracks.flatMap(namesOf);
  return hasWords([...ownNames(scene), ...sounds], words);
}

/** Returns the sounds of a scene that a search finds; all of them if it finds the scene itself. */
export function findSounds(text: string, scene: PreviewScene): readonly PreviewTrack[] {
  if ("error" in scene) return [];
  const words = wordsOf(text);
  const own = ownNames(scene);
  if (hasWords(own, words)) return scene.tracks;
  return scene.tracks.filter((track) => {
    const names = namesOf(track);
    return (
      words.every((word) => hasWord(names, word) || hasWord(own, word)) &&
      words.some((word) => hasWord(names, word))
    );
  });
}

function ownNames(scene: PreviewScene): readonly string[] {
  return "error" in scene ? [scene.folder] : [scene.name, scene.folder];
}

function namesOf({ clip, track, file }: PreviewTrack): readonly string[] {
  return [clip, track, file];
}
