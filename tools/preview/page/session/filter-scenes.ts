import type { PreviewScene } from "../../../../core/protocol/preview-api.ts";

/** Which scenes somebody wants to see. */
export interface SceneFilter {
  /** Words that each must be in the scene's name, its folder, or one clip's name; upper and lower case are alike. */
  readonly text: string;
  /** Leaves out what is as it was accepted. */
  readonly isOnlyDiffering: boolean;
}

export const ALL_SCENES: SceneFilter = { text: "", isOnlyDiffering: false };

/** The scenes that a filter lets through, in their order. */
export function filterScenes(
  scenes: readonly PreviewScene[],
  { text, isOnlyDiffering }: SceneFilter,
): readonly PreviewScene[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return scenes.filter((scene) => {
    if (isOnlyDiffering && isAccepted(scene)) return false;
    const said = words.length === 0 ? [] : namesIn(scene);
    return words.every((word) => said.some((name) => name.includes(word)));
  });
}

function isAccepted(scene: PreviewScene): boolean {
  return !("error" in scene) && scene.golden.status === "same";
}

function namesIn(scene: PreviewScene): readonly string[] {
  const names = "error" in scene ? [] : [scene.name, ...scene.tracks.map(({ clip }) => clip)];
  return [scene.folder, ...names].map((name) => name.toLowerCase());
}
