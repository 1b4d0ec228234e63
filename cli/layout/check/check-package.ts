import { join } from "node:path";
import { MANIFEST_FILE } from "../../../core/manifest/manifest.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import type { GoldenHint } from "../../../core/layout/compare-audio.ts";
import { layoutJson } from "../../../core/layout/layout-json.ts";
import type { PreviewGolden } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { checkGolden, GOLDEN_FILE, GOLDEN_TEXT_FILE, isGoldenTextStale } from "../golden.ts";
import type { PackageAudio } from "../read-package-audio.ts";
import type { FolderPackage } from "../read-package-folder.ts";
import type { CheckedPackage, CheckHint, DescribedProblem } from "./checked-package.ts";
import { describeGoldenDifferences } from "./describe-differences.ts";
import { type Place, placeOfFault, readPlaces } from "./manifest-places.ts";

/** The findings of a package (rule B9). */
interface CheckedFindings {
  readonly findings: readonly Finding[];
  /** Set to take findings for errors. */
  readonly isStrict: boolean;
}

/** Compares a package with its golden (rules B2 to B9). */
export async function checkPackage(
  read: FolderPackage,
  audio: PackageAudio,
  { findings, isStrict }: CheckedFindings = { findings: [], isStrict: false },
): Promise<CheckedPackage> {
  const { folder, layout, local } = read;
  const golden = await checkGolden(read, audio);
  const error = await describeGolden(read, golden);
  const isOutdated = golden.status === "same" && error !== undefined;
  const found = [
    ...(error === undefined ? [] : [packageError(error)]),
    ...describeFiles(golden, read),
    ...(golden.status === "differs" ? describeGoldenDifferences(golden, layoutJson(layout)) : []),
    ...findings.map((finding) => describeFinding(finding, read, isStrict)),
  ];
  const ids = local.manifest.items.map(({ id }) => id);
  // Only packages with problems cost a second look into the manifest.
  const placeOf = found.length === 0 ? () => null : await readPlaces(local.folder, ids);
  const names = new Map<string, string>(layout.tracks.map((one) => [one.soundId, one.clipName]));
  for (const { sound, name } of found) {
    if (sound !== null && !names.has(sound)) names.set(sound, name);
  }
  const differences = golden.status === "differs" ? golden.differences : [];
  const sameAudio = golden.status === "same" ? audio.json : undefined;
  return {
    folder,
    manifestPath: join(folder, MANIFEST_FILE),
    status: golden.problems.length > 0 ? "faulty" : isOutdated ? "outdated_text" : golden.status,
    scene: layout.scene.name,
    sounds: Array.from(names, ([id, name]) => ({ id, name })),
    problems: found.map((one) => placed(one, placeOf(one.sound, settingOf(one)))),
    differences: differences.map((one) => placed(one, placeOf(one.sound, one.setting))),
    hints: "hints" in golden ? describeHints(golden.hints, read) : [],
    read,
    audio: {
      accepted: golden.status === "differs" ? golden.audio.accepted : sameAudio,
      now: audio.json,
    },
  };
}

/** Returns the setting or field that a problem is about. */
function settingOf({ code, finding }: DescribedProblem): string {
  return finding === undefined ? code : (finding.field ?? "audio");
}

function placed<One extends object>(
  one: One,
  place: Place | null,
): One & { readonly place: Place | null } {
  return { ...one, place };
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

function packageError(sentence: string): DescribedProblem {
  const about = { sound: null, name: "", number: null, code: "GOLDEN", label: "", changes: [] };
  return { severity: "error", kind: "golden", ...about, sentence };
}

/** Describes the faults of the files, in the order of the sounds. */
function describeFiles(
  { problems }: PreviewGolden,
  read: FolderPackage,
): readonly DescribedProblem[] {
  return problems.map(({ sound, code, text }) => {
    const about = aboutSound(sound, read);
    const start = `${about.name}: `;
    const sentence = text.startsWith(start) ? text.slice(start.length) : text;
    return { severity: "error", kind: "file", ...about, code, sentence };
  });
}

function describeFinding(
  finding: Finding,
  read: FolderPackage,
  isStrict: boolean,
): DescribedProblem {
  const { sound, code } = finding;
  const severity = isStrict ? "error" : "warning";
  const sentence = `${finding.sentence}.`;
  return { severity, kind: "finding", ...aboutSound(sound, read), code, sentence, finding };
}

function aboutSound(id: string, { local }: FolderPackage) {
  const index = local.manifest.items.findIndex((item) => item.id === id);
  const name = local.manifest.items[index]?.name ?? id;
  return { sound: id, name, number: index + 1, label: "", changes: [] };
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
      hint: `The color of ${countOf(colors.length, "sound")} is automatic now. layout --update records that.`,
    },
    {
      code: "CHUNKS_CHANGED",
      sounds: chunks,
      hint: `${chunkNames}: only metadata changed, such as tempo or loop points; the audio is the same. layout --update records that.`,
    },
  ];
  return described.filter(({ sounds }) => sounds.length > 0);
}
