import { formatLayout } from "../../../core/layout/format-layout.ts";
import { layoutJson } from "../../../core/layout/layout-json.ts";
import { onOneLine } from "../../../core/text/shorten.ts";
import type { CheckedPackage, CheckStatus } from "../../layout/check/checked-package.ts";
import { brokenPackage, checkPackage } from "../../layout/check/check-package.ts";
import { checkJson, formatCheckText } from "../../layout/check/format-check.ts";
import { updateGolden } from "../../layout/golden.ts";
import {
  BROKEN,
  type LibraryTask,
  type PackageReport,
  reportBroken,
} from "../../layout/run-library.ts";

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
  reportBroken,
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
  reportBroken,
};

const VERDICTS: Readonly<Record<Exclude<CheckStatus, "broken">, string>> = {
  same: "match",
  differs: "different",
  missing: "without an accepted layout",
  unreadable: "with an unusable accepted layout",
  outdated_text: "with an outdated layout.txt",
};

/** The result of one package, from which all reports are made. */
export interface CheckReport extends PackageReport {
  readonly checked: CheckedPackage;
}

/** `layout --check`: compares every layout with the accepted one (rules B2 to B4). */
export const CHECK: LibraryTask<CheckReport> = {
  verdicts: Object.values(VERDICTS),
  advice: "Review the differences; --update accepts them.",
  report: async (folderPackage) => reportCheck(await checkPackage(folderPackage)),
  reportBroken: async (folder, error) => reportCheck(await brokenPackage(folder, error)),
};

function reportCheck(checked: CheckedPackage): CheckReport {
  const { status } = checked;
  return {
    checked,
    json: checkJson(checked),
    text: formatCheckText(checked),
    verdict: status === "broken" ? BROKEN : VERDICTS[status],
    isGood: status === "same",
  };
}
