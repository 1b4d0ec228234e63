import type { PreviewScene, PreviewTrack } from "../../../core/protocol/preview-api.ts";
import { hasProblems, isChanged } from "./scene-state.ts";

export const SCENE_FILTERS = ["all", "problems", "changed"] as const;
export type SceneFilter = (typeof SCENE_FILTERS)[number];

/** What the list of scenes shows. */
export interface SceneView {
  /** Words that must all occur in the names of a scene: its own, its folder, its sounds and their files; ignores case. */
  readonly text: string;
  readonly filter: SceneFilter;
}

/** Whether anything is searched for. */
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
  return haveAll([...ownNames(scene), ...sounds], words);
}

/** The sounds of a scene that a search finds; all of them if it finds the scene itself. */
export function findSounds(text: string, scene: PreviewScene): readonly PreviewTrack[] {
  if ("error" in scene) return [];
  const words = wordsOf(text);
  const own = ownNames(scene);
  if (haveAll(own, words)) return scene.tracks;
  return scene.tracks.filter((track) => {
    const names = namesOf(track);
    return (
      words.every((word) => has(names, word) || has(own, word)) &&
      words.some((word) => has(names, word))
    );
  });
}

function ownNames(scene: PreviewScene): readonly string[] {
  return ("error" in scene ? [scene.folder] : [scene.name, scene.folder]).map(lowerCase);
}

function namesOf({ clip, track, file }: PreviewTrack): readonly string[] {
  return [clip, track, file].map(lowerCase);
}

function haveAll(names: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => has(names, word));
}

function has(names: readonly string[], word: string): boolean {
  return names.some((name) => name.includes(word));
}

function wordsOf(text: string): readonly string[] {
  return lowerCase(text).split(/\s+/).filter(Boolean);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
