import type { Finding } from "../../../core/findings/finding.ts";
import { formatLayout } from "../../../core/layout/format-layout.ts";
import { layoutJson } from "../../../core/layout/layout-json.ts";
import { onOneLine } from "../../../core/text/shorten.ts";
import {
  type CheckedPackage,
  checkPackage,
  type PackageCheck,
} from "../../layout/check-package.ts";
import { updateGolden } from "../../layout/golden.ts";
import { listenTo } from "../../layout/hear-package.ts";
import { readPackageAudio } from "../../layout/read-package-audio.ts";
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
const REFUSED = "not accepted";
const WITH_FAULTS = "with missing or broken files";

const ACCEPT_THEM = "Review the differences; --update accepts them.";
const MEND_THEM =
  "Restore the files that are missing or broken, and correct what manifest.json says of them.";

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
  };
}

const VERDICTS: Readonly<Record<CheckedPackage["status"], string>> = {
  same: "match",
  differs: "different",
  missing: "without an accepted layout",
  unreadable: "with an unusable accepted layout",
  outdated_text: "with an outdated layout.txt",
  faulty: WITH_FAULTS,
};

const FINDINGS = "with findings";
const HEAR_THEM = "Listen to what was found; without --strict, findings are warnings.";

/** `layout --check`: compares every package with the accepted one, and says what is heard (rules B2 to B9). */
export const CHECK: LibraryTask = checkTask(false);
/** `layout --check --strict`: findings are errors, too. */
export const CHECK_STRICTLY: LibraryTask = checkTask(true);

function checkTask(isStrict: boolean): LibraryTask {
  return {
    verdicts: [...Object.values(VERDICTS), FINDINGS],
    report: async (folderPackage) => {
      const { read, findings } = listenTo(folderPackage);
      const audio = await readPackageAudio(folderPackage, read);
      const checked = await checkPackage(folderPackage, audio);
      return reportCheck(folderPackage, checked, { findings: findings(), isStrict });
    },
  };
}

interface Heard {
  readonly findings: readonly Finding[];
  readonly isStrict: boolean;
}

function reportCheck(
  { folder, local }: FolderPackage,
  { json, differences }: PackageCheck,
  { findings, isStrict }: Heard,
): PackageReport {
  const { same, status, error, errors = [], hints = [] } = json;
  const names = new Map(local.manifest.items.map(({ id, name }) => [id, name]));
  const severity = isStrict ? "error" : "warning";
  const said = isStrict ? "Error" : "Warning";
  const sentences = [
    ...(error === undefined ? [] : [error]),
    ...errors.map((one) => one.error),
    ...hints.map(({ hint }) => hint),
    ...findings.map(({ sound, sentence }) => `${said}: ${names.get(sound) ?? sound}: ${sentence}.`),
  ];
  const isHeard = same && isStrict && findings.length > 0;
  const found = findings.map((finding) => ({ severity, ...finding }));
  return {
    json: found.length === 0 ? json : { ...json, findings: found },
    text: formatLines(folder, [...sentences.map(onOneLine), ...differences]),
    verdict: isHeard ? FINDINGS : VERDICTS[status],
    isGood: same && !isHeard,
    ...(isHeard && { advice: HEAR_THEM }),
    ...(!same && { advice: status === "faulty" ? MEND_THEM : ACCEPT_THEM }),
  };
}

/** One sentence stands beside its folder, several lines below it. */
function formatLines(folder: string, lines: readonly string[]): string | undefined {
  const [only, another] = lines;
  if (only === undefined) return undefined;
  if (another === undefined && /^[^\s].*\.$/.test(only)) return `${onOneLine(folder)}: ${only}`;
  return [`${onOneLine(folder)}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}
