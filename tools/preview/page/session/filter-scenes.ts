import type { PreviewScene } from "../../../../core/protocol/preview-api.ts";

/** Which scenes to show. */
export interface SceneFilter {
  /** Words that must all occur in the scene's name, folder or clip names; ignores case. */
  readonly text: string;
  /** Hides scenes that match their accepted layout. */
  readonly isOnlyDiffering: boolean;
}

export const ALL_SCENES: SceneFilter = { text: "", isOnlyDiffering: false };

export function filterScenes(
  scenes: readonly PreviewScene[],
  { text, isOnlyDiffering }: SceneFilter,
): readonly PreviewScene[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return scenes.filter((scene) => {
    if (isOnlyDiffering && isAccepted(scene)) return false;
    const names = words.length === 0 ? [] : namesIn(scene);
    return words.every((word) => names.some((name) => name.includes(word)));
  });
}

function isAccepted(scene: PreviewScene): boolean {
  return !("error" in scene) && scene.golden.status === "same";
}

function namesIn(scene: PreviewScene): readonly string[] {
  const names = "error" in scene ? [] : [scene.name, ...scene.tracks.map(({ clip }) => clip)];
  return [scene.folder, ...names].map((name) => name.toLowerCase());
}
