import type { PreviewScene } from "../../../../core/protocol/preview-api.ts";
import { formatGolden } from "./format-golden.ts";

/** More news than these are told as a number. */
const TOLD_ONE_BY_ONE = 3;

/** What somebody who can't see the page is told of an edit, a sentence each; empty where nothing has changed. */
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
      .map((scene) => `${nameOf(scene)} was removed.`),
  ];
  return news.length > TOLD_ONE_BY_ONE ? [`${news.length} scenes have changed.`] : news;
}

function announceScene(before: PreviewScene | undefined, now: PreviewScene): readonly string[] {
  if (before === now) return [];
  if ("error" in now) return [`${nameOf(before ?? now)} can’t be used: ${now.error}`];
  const verb = before === undefined ? "is new" : "changed";
  return [`${now.name} ${verb}: ${formatGolden(now.golden).words}.`];
}

/** A scene's name, or its folder where it has none. */
function nameOf(scene: PreviewScene): string {
  return "error" in scene ? scene.folder : scene.name;
}
