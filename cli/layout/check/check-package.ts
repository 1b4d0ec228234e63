import { join } from "node:path";
import { MANIFEST_FILE } from "../../../addon/disk/written-files.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import type { GoldenHint } from "../../../core/layout/compare-audio.ts";
import { layoutJson } from "../../../core/layout/layout-json.ts";
import type { PreviewGolden } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { checkGolden, GOLDEN_FILE, GOLDEN_TEXT_FILE, isGoldenTextStale } from "../golden.ts";
import type { PackageAudio } from "../read-package-audio.ts";
import type { FolderPackage } from "../read-package-folder.ts";
import type { CheckedPackage, CheckHint, CheckProblem } from "./checked-package.ts";
import { describeGoldenDifferences } from "./describe-differences.ts";
import { type Place, placeOfFault, readPlaces } from "./manifest-places.ts";

/** The findings of a package (rule B9). */
export interface Heard {
  readonly findings: readonly Finding[];
  /** Set to take findings for errors. */
  readonly isStrict: boolean;
}

/** Compares a package with its golden (rules B2 to B9). */
export async function checkPackage(
  read: FolderPackage,
  audio: PackageAudio,
  { findings, isStrict }: Heard = { findings: [], isStrict: false },
): Promise<CheckedPackage> {
  const { folder, layout, local } = read;
  const golden = await checkGolden(read, audio);
  const error = await describeGolden(read, golden);
  const isOutdated = golden.status === "same" && error !== undefined;
  const isDifferent = golden.status === "differs";
  const found = [
    ...(error === undefined ? [] : [packageError(error)]),
    ...describeFiles(golden, read),
    ...(isDifferent ? describeGoldenDifferences(golden, layoutJson(layout)) : []),
    ...findings.map((finding) => describeFinding(finding, read, isStrict)),
  ];
  const differences = isDifferent ? golden.differences : [];
  const ids = local.manifest.items.map(({ id }) => id);
  // Only packages with problems cost a second look into the manifest.
  const placeOf = found.length === 0 ? () => null : await readPlaces(local.folder, ids);
  return {
    folder,
    manifestPath: join(folder, MANIFEST_FILE),
    status: golden.problems.length > 0 ? "faulty" : isOutdated ? "outdated_text" : golden.status,
    scene: layout.scene.name,
    sounds: layout.tracks.map(({ soundId: id, clipName: name }) => ({ id, name })),
    problems: found.map((one) => placed(one, placeOf(one.sound, settingOf(one)))),
    differences: differences.map((one) => placed(one, placeOf(one.sound, one.setting))),
    hints: "hints" in golden ? describeHints(golden.hints, read) : [],
    read,
    audio: { accepted: acceptedAudio(golden, audio), now: audio.json },
  };
}

/** Returns the setting or field that a problem is about. */
function settingOf({ code, finding }: CheckProblem): string {
  return finding === undefined ? code : (finding.field ?? "audio");
}

function placed<One extends object>(
  one: One,
  place: Place | null,
): One & { readonly place: Place | null } {
  return { ...one, place };
}

function acceptedAudio(golden: PreviewGolden, { json }: PackageAudio) {
  if (golden.status === "differs") return golden.audio.accepted;
  return golden.status === "same" ? json : undefined;
}

/**
 * A package that can't be read.
 * @param error a sentence that says why
 * @param code `NO_PACKAGE` if the path is mistyped
 */
export async function brokenPackage(
  folder: string,
  error: string,
  code?: string,
): Promise<CheckedPackage> {
  return {
    folder,
    manifestPath: join(folder, MANIFEST_FILE),
    status: "broken",
    ...(code !== undefined && { code }),
    scene: null,
    sounds: [],
    problems: [{ ...packageError(error), place: await placeOfFault(folder) }],
    differences: [],
    hints: [],
    read: undefined,
    audio: { accepted: undefined, now: undefined },
  };
}

/** Says what is wrong with the golden itself. */
async function describeGolden(
  read: FolderPackage,
  golden: PreviewGolden,
): Promise<string | undefined> {
  if (golden.status === "unreadable") return golden.error;
  if (golden.status === "missing") return `${golden.file} is missing.`;
  if (golden.status !== "same" || !(await isGoldenTextStale(read))) return undefined;
  return `${GOLDEN_TEXT_FILE} is outdated: it doesn't match ${GOLDEN_FILE}.`;
}

function packageError(sentence: string): CheckProblem {
  const about = { sound: null, name: "", number: null, code: "GOLDEN", label: "" };
  return { severity: "error", kind: "golden", ...about, sentence, changes: [], place: null };
}

/** Describes the faults of the files, in the order of the sounds. */
function describeFiles(
  { problems }: PreviewGolden,
  { local }: FolderPackage,
): readonly CheckProblem[] {
  const { items } = local.manifest;
  return problems.map(({ sound, code, text }): CheckProblem => {
    const index = items.findIndex(({ id }) => id === sound);
    const name = items[index]?.name ?? sound;
    const sentence = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
    const about = { sound, name, number: index + 1, code, label: "", sentence };
    return { severity: "error", kind: "file", ...about, changes: [], place: null };
  });
}

function describeFinding(
  finding: Finding,
  { local }: FolderPackage,
  isStrict: boolean,
): CheckProblem {
  const { sound, code } = finding;
  const index = local.manifest.items.findIndex(({ id }) => id === sound);
  const name = local.manifest.items[index]?.name ?? sound;
  const about = { sound, name, number: index + 1, code, label: "" };
  const sentence = `${finding.sentence}.`;
  const severity = isStrict ? "error" : "warning";
  return { severity, kind: "finding", ...about, sentence, changes: [], place: null, finding };
}

function describeHints(
  hints: readonly GoldenHint[],
  { local }: FolderPackage,
): readonly CheckHint[] {
  const names = new Map(local.manifest.items.map(({ id, name }) => [id, name]));
  const of = (wanted: GoldenHint["code"]): readonly string[] =>
    hints.filter(({ code }) => code === wanted).map(({ sound }) => sound);
  const [colors, chunks] = [of("COLOR_AUTOMATIC"), of("CHUNKS_CHANGED")];
  const chunkNames = chunks.map((id) => names.get(id) ?? id).join(", ");
  const described: readonly CheckHint[] = [
    {
      code: "COLOR_AUTOMATIC",
      sounds: colors,
      hint: `The color of ${countOf(colors.length, "sound")} is automatic now. layout --update writes that down.`,
    },
    {
      code: "CHUNKS_CHANGED",
      sounds: chunks,
      hint: `${chunkNames}: only notes in the file changed, such as tempo or loop points; the audio is the same. layout --update writes that down.`,
    },
  ];
  return described.filter(({ sounds }) => sounds.length > 0);
}
