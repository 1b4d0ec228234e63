import type { PreviewScene } from "../../../core/protocol/preview-api.ts";
import { nameOfScene } from "../list/scene-state.ts";
import { formatGolden } from "./format-golden.ts";

/** More changes are announced as a number. */
const MAX_ANNOUNCED = 3;

/** What a screen reader announces about an edit, one sentence each. */
export function announceChange(
  before: readonly PreviewScene[],
  now: readonly PreviewScene[],
): readonly string[] {
  const earlier = new Map(before.map((scene) => [scene.key, scene]));
  const present = new Set(now.map(({ key }) => key));
  const news = [
    ...now.flatMap((scene) => announceScene(earlier.get(scene.key), scene)),
    ...before
      .filter(({ key }) => !present.has(key))
      .map((scene) => `${nameOfScene(scene)} was removed.`),
  ];
  return news.length > MAX_ANNOUNCED ? [`${news.length} scenes have changed.`] : news;
}

function announceScene(before: PreviewScene | undefined, now: PreviewScene): readonly string[] {
  if (before === now) return [];
  if ("error" in now) return [`${nameOfScene(before ?? now)} can’t be used: ${now.error}`];
  const verb = before === undefined ? "is new" : "changed";
  return [`${now.name} ${verb}: ${formatGolden(now.golden).words}.`];
}
