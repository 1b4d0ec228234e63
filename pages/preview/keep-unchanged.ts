import type { PreviewScene } from "../../core/protocol/preview-api.ts";

/** Reuses the previous object of each unchanged scene, so that only changed rows render again. */
export function keepUnchanged(
  before: readonly PreviewScene[],
  now: readonly PreviewScene[],
): readonly PreviewScene[] {
  const known = new Map(before.map((scene) => [scene.key, scene]));
  return now.map((scene) => {
    const earlier = known.get(scene.key);
    return JSON.stringify(earlier) === JSON.stringify(scene) && earlier !== undefined
      ? earlier
      : scene;
  });
}
