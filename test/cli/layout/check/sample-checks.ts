import type { CheckedPackage, CheckProblem } from "../../../../cli/layout/check/checked-package.ts";

/** A problem of a sound, as a check finds it. */
export function sampleProblem(changes: Partial<CheckProblem> = {}): CheckProblem {
  return {
    severity: "error",
    kind: "setting",
    sound: "kick",
    name: "Kick",
    number: 1,
    code: "gain_db",
    label: "Gain",
    sentence: "Gain: 0 dB → −3 dB",
    changes: [["0 dB", "−3 dB"]],
    place: { line: 4, column: 7 },
    ...changes,
  };
}

/** A package that differs in these problems, or matches without any. */
export function sampleCheck(
  problems: readonly CheckProblem[],
  changes: Partial<CheckedPackage> = {},
): CheckedPackage {
  return {
    folder: "packages/kit",
    manifestPath: "packages/kit/manifest.json",
    status: problems.length === 0 ? "same" : "differs",
    scene: "Kit (App)",
    sounds: [{ id: "kick", name: "Kick" }],
    problems,
    differences: [],
    hints: [],
    read: undefined,
    audio: { accepted: undefined, now: undefined },
    ...changes,
  };
}
