import { join } from "node:path";
import { MANIFEST_FILE } from "../../../addon/disk/written-files.ts";
import { layoutJson } from "../../../core/layout/layout-json.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { checkGolden, GOLDEN_FILE, GOLDEN_TEXT_FILE, isGoldenTextStale } from "../golden.ts";
import type { FolderPackage } from "../read-package-folder.ts";
import type { CheckedPackage, CheckProblem, CheckStatus } from "./checked-package.ts";
import { describeDifferences } from "./describe-differences.ts";
import { placeOfFault, readPlaces } from "./manifest-places.ts";

/** Compares a package with its golden (rules B2 to B5). */
export async function checkPackage(read: FolderPackage): Promise<CheckedPackage> {
  const golden = await checkGolden(read);
  if (golden.status === "differs") {
    const now = layoutJson(read.layout);
    const found = describeDifferences(golden.differences, golden.accepted, now);
    return checked(read, "differs", await withPlaces(read, found));
  }
  if (golden.status !== "same") {
    const error = golden.status === "missing" ? `${GOLDEN_FILE} is missing.` : golden.error;
    return checked(read, golden.status, await withPlaces(read, [packageError(error)]));
  }
  if (await isGoldenTextStale(read)) {
    const error = `${GOLDEN_TEXT_FILE} is outdated: it doesn't match ${GOLDEN_FILE}.`;
    return checked(read, "outdated_text", await withPlaces(read, [packageError(error)]));
  }
  const automatic = golden.colorsNowAutomatic.length;
  if (automatic === 0) return checked(read, "same", []);
  const hint = `The color of ${countOf(automatic, "sound")} is automatic now. layout --update writes that down.`;
  return { ...checked(read, "same", []), hint };
}

/** A package that can't be read. @param error a sentence that says why */
export async function brokenPackage(folder: string, error: string): Promise<CheckedPackage> {
  return {
    folder,
    manifestPath: join(folder, MANIFEST_FILE),
    status: "broken",
    scene: null,
    sounds: [],
    problems: [{ ...packageError(error), place: await placeOfFault(folder) }],
    read: undefined,
  };
}

function checked(
  read: FolderPackage,
  status: CheckStatus,
  problems: readonly CheckProblem[],
): CheckedPackage {
  const { folder, layout } = read;
  return {
    folder,
    manifestPath: join(folder, MANIFEST_FILE),
    status,
    scene: layout.scene.name,
    sounds: layout.tracks.map(({ soundId: id, clipName: name }) => ({ id, name })),
    problems,
    read,
  };
}

function packageError(sentence: string): CheckProblem {
  const about = { sound: null, name: "", number: null, code: "error", label: "" };
  return { severity: "error", ...about, sentence, changes: [], place: null };
}

/** Finds the places. Only packages with problems cost a second look into the manifest. */
async function withPlaces(
  { local }: FolderPackage,
  problems: readonly CheckProblem[],
): Promise<readonly CheckProblem[]> {
  const ids = local.manifest.items.map(({ id }) => id);
  const placeOf = await readPlaces(local.folder, ids);
  return problems.map((problem) => ({ ...problem, place: placeOf(problem.sound, problem.code) }));
}
