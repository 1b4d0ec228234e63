import type { ClipState } from "../../kit/clip-list/clip-row.ts";
import type { GoldenHint } from "../../../core/layout/compare-audio.ts";
import type { PreviewScene, SceneGolden } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";

/** Number of a scene's problems: faults of its manifest, its sounds and its accepted layout's file. */
interface SceneProblems {
  /** Number of problems that make something unusable. */
  readonly errors: number;
  /** Number of problems that were repaired. */
  readonly warnings: number;
}

/** Returns a scene's name, or its folder if it has none. */
export function nameOfScene(scene: PreviewScene): string {
  return "error" in scene ? scene.folder : scene.name;
}

/** Returns a text that changes with the scene's manifest and layout. */
export function versionOf(scene: PreviewScene): string {
  return `${scene.manifest?.revision} ${"error" in scene ? "" : scene.revision}`;
}

export function problemsOf(scene: PreviewScene): SceneProblems {
  const faults = scene.manifest?.faults ?? [];
  const errors = faults.filter(({ isError }) => isError).length;
  const warnings = faults.length - errors;
  if ("error" in scene) return { errors: Math.max(1, errors), warnings };
  return { errors: errors + (scene.golden.status === "unreadable" ? 1 : 0), warnings };
}

export function hasProblems(scene: PreviewScene): boolean {
  const { errors, warnings } = problemsOf(scene);
  return errors + warnings > 0;
}

/** Checks whether the manifest was edited since the preview started, or the layout isn't the accepted one. */
export function isChanged(scene: PreviewScene): boolean {
  if (scene.manifest?.isChanged === true) return true;
  return !("error" in scene) && !isReading(scene) && !isAccepted(scene.golden);
}

/** Returns the scene's state in the list: its problems, else how its layout compares. */
export function sceneState(scene: PreviewScene): ClipState {
  const { errors, warnings } = problemsOf(scene);
  if ("error" in scene) return { tone: "bad", words: "can’t be used" };
  if (errors + warnings > 0) {
    return { tone: errors > 0 ? "bad" : "mixed", words: countOf(errors + warnings, "problem") };
  }
  return isAccepted(scene.golden)
    ? { tone: "good", words: "accepted" }
    : formatGolden(scene.golden);
}

/** A comparison with the accepted layout, as text and as a tone for its style. */
interface GoldenWords {
  readonly words: string;
  readonly tone: "good" | "mixed" | "bad" | "quiet";
}

/** Checks whether the scene's sounds haven't been read, so that nobody knows how it compares. */
export function isReading(scene: PreviewScene): boolean {
  return !("error" in scene) && scene.golden.status === "reading";
}

/** Checks whether everything is as accepted, perhaps but for hints. */
function isAccepted({ status, problems }: SceneGolden): boolean {
  return status === "same" && problems.length === 0;
}

function formatGolden(golden: SceneGolden): GoldenWords {
  const { problems } = golden;
  if (problems.length > 0) return { words: countOf(problems.length, "faulty file"), tone: "bad" };
  switch (golden.status) {
    case "reading":
      return { words: "reading sounds…", tone: "quiet" };
    case "same":
      return { words: ["accepted", ...hintWords(golden.hints)].join(", "), tone: "good" };
    case "missing":
      return { words: "not accepted yet", tone: "mixed" };
    case "differs":
      return { words: countOf(golden.differences.length, "difference"), tone: "mixed" };
    case "unreadable":
      return { words: "accepted layout unreadable", tone: "bad" };
  }
}

function hintWords(hints: readonly GoldenHint[]): readonly string[] {
  const has = (wanted: GoldenHint["code"]): boolean => hints.some(({ code }) => code === wanted);
  return [
    ...(has("COLOR_AUTOMATIC") ? ["colors are automatic now"] : []),
    ...(has("CHUNKS_CHANGED") ? ["notes in files changed"] : []),
  ];
}

/** Number of changes above which only their number is announced. */
const MAX_ANNOUNCED = 3;

/** Returns announcements of changes for screen readers, one sentence each. */
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
  if (before === now || isOnlyHeard(before, now)) return [];
  if ("error" in now) return [`${nameOfScene(before ?? now)} can’t be used: ${now.error}`];
  const verb = before === undefined ? "is new" : "changed";
  return [`${now.name} ${verb}: ${formatGolden(now.golden).words.replace(/…$/, "")}.`];
}

/** Checks whether only what was read of the sounds differs, which arrives for all scenes after the preview starts. */
function isOnlyHeard(before: PreviewScene | undefined, now: PreviewScene): boolean {
  if (before === undefined || "error" in before || "error" in now) return false;
  const { golden, revision } = isReading(before) ? now : before;
  return (
    JSON.stringify({ ...before, golden, revision, findings: null }) ===
    JSON.stringify({ ...now, findings: null })
  );
}

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
