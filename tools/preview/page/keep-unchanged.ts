import type { PreviewScene } from "../../../core/protocol/preview-api.ts";

/**
 * The scenes as they are now, with the very object from before for each that says the same: only rows whose
 * scene is another one are drawn anew.
 */
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
