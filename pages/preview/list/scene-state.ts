import type { ClipState } from "../../kit/clip-list/clip-row.ts";
import type { PreviewScene } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { formatGolden } from "../text/format-golden.ts";

/** How much is wrong with a scene: faults of its manifest, its sounds and its accepted layout's file. */
export interface SceneProblems {
  /** What can't be used. */
  readonly errors: number;
  /** What was repaired. */
  readonly warnings: number;
}

/** A scene's name, or its folder if it has none. */
export function nameOfScene(scene: PreviewScene): string {
  return "error" in scene ? scene.folder : scene.name;
}

/** Changes with its manifest and its layout. */
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

/** Whether its manifest was edited since the preview started, or its layout isn't the accepted one. */
export function isChanged(scene: PreviewScene): boolean {
  if (scene.manifest?.isChanged === true) return true;
  return !("error" in scene) && scene.golden.status !== "same";
}

/** The scene's state in the list: its problems, else how its layout compares. */
export function sceneState(scene: PreviewScene): ClipState {
  const { errors, warnings } = problemsOf(scene);
  if ("error" in scene) return { tone: "bad", words: "can’t be used" };
  if (errors + warnings > 0) {
    return { tone: errors > 0 ? "bad" : "mixed", words: countOf(errors + warnings, "problem") };
  }
  return scene.golden.status === "same"
    ? { tone: "good", words: "accepted" }
    : formatGolden(scene.golden);
}
