import { layoutJson } from "../../../core/layout/layout-json.ts";
import { formatLayout } from "../../../core/layout/format-layout.ts";
import type { PreviewGolden } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { onOneLine } from "../../../core/text/shorten.ts";
import {
  checkGolden,
  GOLDEN_FILE,
  GOLDEN_TEXT_FILE,
  isGoldenTextStale,
  updateGolden,
} from "../../layout/golden.ts";
import { formatDifferences } from "./format-differences.ts";
import type { FolderPackage } from "../../layout/read-package-folder.ts";
import type { LibraryTask, PackageReport } from "../../layout/run-library.ts";

const LAID_OUT = "laid out";
const LAID_OUT_WITH_GAPS = "with sounds that can't be used";

/** `layout`: shows every layout. */
export const SHOW: LibraryTask = {
  verdicts: [LAID_OUT, LAID_OUT_WITH_GAPS],
  report: ({ layout }) => ({
    json: layoutJson(layout),
    text: formatLayout(layout),
    verdict: layout.tracks.some((track) => "error" in track) ? LAID_OUT_WITH_GAPS : LAID_OUT,
    isGood: true,
  }),
};

const ACCEPTED = "accepted";
const UNCHANGED = "unchanged";

/** `layout --update`: accepts every current layout. */
export const UPDATE: LibraryTask = {
  verdicts: [ACCEPTED, UNCHANGED],
  report: async (folderPackage) => {
    const changed = await updateGolden(folderPackage);
    return {
      json: { changed },
      text: changed ? onOneLine(`${folderPackage.folder}: accepted`) : undefined,
      verdict: changed ? ACCEPTED : UNCHANGED,
      isGood: true,
    };
  },
};

/** How a package compares with its golden; `outdated_text` means that only layout.txt differs. */
type GoldenStatus = PreviewGolden["status"] | "outdated_text";

const VERDICTS: Readonly<Record<GoldenStatus, string>> = {
  same: "match",
  differs: "different",
  missing: "without an accepted layout",
  unreadable: "with an unusable accepted layout",
  outdated_text: "with an outdated layout.txt",
};

/** `layout --check`: compares every layout with the accepted one (rules B2 to B4). */
export const CHECK: LibraryTask = {
  verdicts: Object.values(VERDICTS),
  advice: "Review the differences; --update accepts them.",
  report: async (folderPackage) => {
    const golden = await checkGolden(folderPackage);
    if (golden.status !== "same") return reportGolden(folderPackage, golden);
    if (!(await isGoldenTextStale(folderPackage))) {
      return reportSame(folderPackage, golden.colorsNowAutomatic.length);
    }
    const error = `${GOLDEN_TEXT_FILE} is outdated: it doesn't match ${GOLDEN_FILE}.`;
    return reportFailure(folderPackage, "outdated_text", error);
  },
};

/** @param colorsNowAutomatic how many sounds have a color in the golden only (rule B5) */
function reportSame({ folder }: FolderPackage, colorsNowAutomatic: number): PackageReport {
  const same = { same: true, status: "same" };
  const found = { verdict: VERDICTS.same, isGood: true };
  if (colorsNowAutomatic === 0) return { ...found, json: same, text: undefined };
  const sounds = countOf(colorsNowAutomatic, "sound");
  const hint = `The colour of ${sounds} is automatic now. layout --update writes that down.`;
  return { ...found, json: { ...same, hint }, text: onOneLine(`${folder}: ${hint}`) };
}

function reportGolden(
  folderPackage: FolderPackage,
  golden: Exclude<PreviewGolden, { status: "same" }>,
): PackageReport {
  const { status } = golden;
  if (status === "unreadable") return reportFailure(folderPackage, status, golden.error);
  if (status === "missing") {
    return reportFailure(folderPackage, status, `${GOLDEN_FILE} is missing.`);
  }
  const { accepted, differences } = golden;
  const lines = formatDifferences(differences, accepted, layoutJson(folderPackage.layout));
  return {
    json: { same: false, status, differences },
    text: [onOneLine(`${folderPackage.folder}:`), ...lines.map((line) => `  ${line}`)].join("\n"),
    verdict: VERDICTS[status],
    isGood: false,
  };
}

function reportFailure(
  { folder }: FolderPackage,
  status: GoldenStatus,
  error: string,
): PackageReport {
  return {
    json: { same: false, status, error },
    text: onOneLine(`${folder}: ${error}`),
    verdict: VERDICTS[status],
    isGood: false,
  };
}
