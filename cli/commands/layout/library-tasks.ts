import { onOneLine } from "../../../core/text/shorten.ts";
import type { CheckedPackage, CheckStatus } from "../../layout/check/checked-package.ts";
import { brokenPackage, checkPackage } from "../../layout/check/check-package.ts";
import { checkJson, formatCheckText } from "../../layout/check/format-check.ts";
import { updateGolden } from "../../layout/golden.ts";
import { hearPackage } from "../../layout/hear-package.ts";
import { readPackageAudio } from "../../layout/read-package-audio.ts";
import {
  BROKEN,
  type LibraryTask,
  type PackageReport,
  reportBroken,
} from "../../layout/run-library.ts";

const ACCEPTED = "accepted";
const UNCHANGED = "unchanged";
const REFUSED = "not accepted";
const WITH_FAULTS = "with missing or broken files";

const ACCEPT_THEM = "Review the differences; --update accepts them.";
const RESTORE_IT = "Restore what was accepted in expected/; --update replaces it.";
const MEND_THEM =
  "Restore missing or broken files, and correct manifest.json where it doesn't match them.";

/** `layout --update`: accepts packages as they are (rule B7). */
export function updateTask(allowMissing = false): LibraryTask {
  return {
    verdicts: [ACCEPTED, UNCHANGED, REFUSED],
    report: async (folderPackage) => {
      const audio = await readPackageAudio(folderPackage);
      const update = await updateGolden(folderPackage, audio, { allowMissing });
      const { changed, problems, isRefused } = update;
      const { folder } = folderPackage;
      const errors = problems.map(({ sound, code, text }) => ({ sound, code, error: text }));
      const outcome = isRefused
        ? REFUSED
        : problems.length > 0
          ? `accepted ${WITH_FAULTS}`
          : ACCEPTED;
      const heading = onOneLine(`${folder}: ${outcome}`);
      const lines = problems.map(({ text }) => `  ${onOneLine(text)}`);
      return {
        json: { changed, ...(errors.length > 0 && { errors }) },
        text: changed || isRefused ? [heading, ...lines].join("\n") : undefined,
        verdict: isRefused ? REFUSED : changed ? ACCEPTED : UNCHANGED,
        isGood: !isRefused,
        ...(isRefused && { advice: MEND_THEM }),
      };
    },
    reportBroken,
  };
}

const VERDICTS: Readonly<Record<Exclude<CheckStatus, "broken">, string>> = {
  same: "match",
  differs: "different",
  missing: "without an accepted layout",
  unreadable: "with an unusable accepted layout",
  outdated_text: "with an outdated layout.txt",
  faulty: WITH_FAULTS,
};

/** Advice where accepting isn't the way. */
const OTHER_ADVICE: Partial<Record<CheckStatus, string>> = {
  faulty: MEND_THEM,
  unreadable: RESTORE_IT,
};

const FINDINGS = "with findings";
const HEAR_THEM =
  "Listen to the sounds with findings. Without --strict, findings are only warnings.";

/** The result of one package, from which all reports are made. */
export interface CheckReport extends PackageReport {
  readonly checked: CheckedPackage;
}

/** `layout --check`: compares every package with the accepted one, and says what is heard (rules B2 to B9). */
export const CHECK = checkTask(false);
/** `layout --check --strict`: findings are errors, too. */
export const CHECK_STRICTLY = checkTask(true);

function checkTask(isStrict: boolean): LibraryTask<CheckReport> {
  return {
    verdicts: [...Object.values(VERDICTS), FINDINGS],
    report: async (folderPackage) => {
      const { audio, findings } = await hearPackage(folderPackage);
      return reportCheck(await checkPackage(folderPackage, audio, { findings, isStrict }));
    },
    reportBroken: async ({ folder, error, code }) =>
      reportCheck(await brokenPackage(folder, error, code)),
  };
}

function reportCheck(checked: CheckedPackage): CheckReport {
  const { status, problems } = checked;
  const isSame = status === "same";
  const isGood = isSame && problems.every(({ severity }) => severity === "warning");
  const report = { checked, json: checkJson(checked), text: formatCheckText(checked), isGood };
  if (status === "broken") return { ...report, verdict: BROKEN };
  if (isGood) return { ...report, verdict: VERDICTS[status] };
  if (isSame) return { ...report, verdict: FINDINGS, advice: HEAR_THEM };
  const advice = OTHER_ADVICE[status] ?? ACCEPT_THEM;
  return { ...report, verdict: VERDICTS[status], advice };
}
