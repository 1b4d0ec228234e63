import type { LayoutDifference } from "../../core/layout/compare-layouts.ts";
import type { GoldenHint } from "../../core/layout/compare-audio.ts";
import { layoutJson } from "../../core/layout/layout-json.ts";
import type { PreviewGolden } from "../../core/protocol/preview-api.ts";
import { countOf } from "../../core/text/count-of.ts";
import { formatGoldenDifferences } from "./format-differences.ts";
import { checkGolden, GOLDEN_FILE, GOLDEN_TEXT_FILE, isGoldenTextStale } from "./golden.ts";
import type { PackageAudio } from "./read-package-audio.ts";
import type { FolderPackage } from "./read-package-folder.ts";

/** A package compared with its golden, as programs get it (rule K5). */
export interface CheckedPackage {
  /** True if everything is as accepted. */
  readonly same: boolean;
  /** `faulty`: there are `errors`. `outdated_text`: only layout.txt differs. */
  readonly status: PreviewGolden["status"] | "outdated_text" | "faulty";
  /** A sentence about the golden. */
  readonly error?: string;
  /** The faults of the files, in the order of the sounds (rules B7, B8). */
  readonly errors?: readonly CheckedError[];
  readonly differences?: readonly LayoutDifference[];
  /** Changes that need no acceptance. */
  readonly hints?: readonly CheckedHint[];
}

export interface CheckedError {
  /** The sound's id. */
  readonly sound: string;
  /** A code of `FileProblem`. */
  readonly code: string;
  /** A sentence that begins with the sound's name. */
  readonly error: string;
}

interface CheckedHint {
  readonly code: GoldenHint["code"];
  /** Ids of the sounds. */
  readonly sounds: readonly string[];
  /** A sentence. */
  readonly hint: string;
}

/** A check's result for programs and for people. */
export interface PackageCheck {
  readonly golden: PreviewGolden;
  readonly json: CheckedPackage;
  /** A line for each difference (rule B3). */
  readonly differences: readonly string[];
}

/** Compares a package with its golden (rules B2 to B8). */
export async function checkPackage(
  folderPackage: FolderPackage,
  audio: PackageAudio,
): Promise<PackageCheck> {
  const golden = await checkGolden(folderPackage, audio);
  const errors = golden.problems.map(({ sound, code, text }) => ({ sound, code, error: text }));
  const error = await describeGolden(folderPackage, golden);
  const isOutdated = golden.status === "same" && error !== undefined;
  const status = errors.length > 0 ? "faulty" : isOutdated ? "outdated_text" : golden.status;
  const hints = "hints" in golden ? describeHints(golden.hints, folderPackage) : [];
  const isDifferent = golden.status === "differs";
  return {
    golden,
    json: {
      same: status === "same",
      status,
      ...(error !== undefined && { error }),
      ...(errors.length > 0 && { errors }),
      ...(isDifferent && { differences: golden.differences }),
      ...(hints.length > 0 && { hints }),
    },
    differences: isDifferent
      ? formatGoldenDifferences(golden, layoutJson(folderPackage.layout))
      : [],
  };
}

/** Says what is wrong with the golden itself. */
async function describeGolden(
  folderPackage: FolderPackage,
  golden: PreviewGolden,
): Promise<string | undefined> {
  if (golden.status === "unreadable") return golden.error;
  if (golden.status === "missing") return `${golden.file} is missing.`;
  if (golden.status !== "same" || !(await isGoldenTextStale(folderPackage))) return undefined;
  return `${GOLDEN_TEXT_FILE} is outdated: it doesn't match ${GOLDEN_FILE}.`;
}

function describeHints(
  hints: readonly GoldenHint[],
  { local }: FolderPackage,
): readonly CheckedHint[] {
  const names = new Map(local.manifest.items.map(({ id, name }) => [id, name]));
  const of = (wanted: GoldenHint["code"]): readonly string[] =>
    hints.filter(({ code }) => code === wanted).map(({ sound }) => sound);
  const [colors, chunks] = [of("COLOR_AUTOMATIC"), of("CHUNKS_CHANGED")];
  const chunkNames = chunks.map((id) => names.get(id) ?? id).join(", ");
  const described: readonly CheckedHint[] = [
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
