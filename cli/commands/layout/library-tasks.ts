import type { LayoutDifference } from "../../../core/layout/compare-layouts.ts";
import { formatLayout } from "../../../core/layout/format-layout.ts";
import { layoutJson, type LayoutJson } from "../../../core/layout/layout-json.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import type { PreviewGolden } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { formatSetting, nameSetting } from "../../../core/text/format-setting.ts";
import { onOneLine } from "../../../core/text/shorten.ts";
import { formatTable, type TableColumn } from "../../../core/text/text-table.ts";
import {
  checkGolden,
  GOLDEN_FILE,
  GOLDEN_TEXT_FILE,
  isGoldenTextStale,
  updateGolden,
} from "../../layout/golden.ts";
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

/** Result of comparing a package with its golden; `outdated_text` means that only layout.txt differs. */
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
  const hint = `The color of ${sounds} is automatic now. layout --update writes that down.`;
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

const COLUMNS: readonly TableColumn[] = [
  { heading: "", align: "right" },
  { heading: "", align: "left" },
  { heading: "", align: "left" },
  { heading: "", align: "left" },
];
/** Lists of sentences, shown by what was added and removed. */
const LISTS = new Set(["notes", "warnings"]);

type Change = readonly [was: string, is: string];

/**
 * Formats a package's differences as lines (rule B3), such as `2  Acid Runner  Warp mode  Tones → Complex`:
 * the sound's number and name, the setting, the accepted value and the current one.
 */
export function formatDifferences(
  differences: readonly LayoutDifference[],
  accepted: LayoutJson,
  now: LayoutJson,
): readonly string[] {
  const numbers = new Map(now.tracks.map(({ id }, index) => [id, index + 1]));
  const before = new Map(accepted.tracks.map((track) => [track.id, track]));
  const after = new Map(now.tracks.map((track) => [track.id, track]));
  const nameOf = (id: string): string => (after.get(id) ?? before.get(id))?.clip ?? id;
  const changesOf = (difference: LayoutDifference): readonly Change[] => {
    const { sound, setting } = difference;
    if (LISTS.has(setting)) return formatList(difference);
    if (setting === "order") return [formatOrder(difference, nameOf)];
    const kinds = [before, after].map((tracks) => tracks.get(sound ?? "")?.kind);
    return [
      [
        formatSetting(inEnglish, setting, difference.accepted, kinds[0]),
        formatSetting(inEnglish, setting, difference.now, kinds[1]),
      ],
    ];
  };
  const rows = differences.flatMap((difference) => {
    const { sound, setting } = difference;
    const number = sound === null ? undefined : numbers.get(sound);
    const name = sound === null ? "" : nameOf(sound);
    return changesOf(difference).map((change) =>
      [
        String(number ?? "–"),
        name,
        nameSetting(inEnglish, setting),
        formatChange(change, difference),
      ].map(onOneLine),
    );
  });
  const [, , ...lines] = formatTable(COLUMNS, rows);
  return lines;
}

/** Formats a change; as JSON if the two values look the same once formatted. */
function formatChange([was, is]: Change, { accepted, now }: LayoutDifference): string {
  return was === is ? `${JSON.stringify(accepted)} → ${JSON.stringify(now)}` : `${was} → ${is}`;
}

/** Each sentence that was added or removed. */
function formatList({ setting, accepted, now }: LayoutDifference): readonly Change[] {
  const format = (value: unknown): string => formatSetting(inEnglish, setting, value);
  const [before, after] = [listOf(accepted).map(format), listOf(now).map(format)];
  const changes = [
    ...before
      .filter((text) => !after.includes(text))
      .map((text): Change => [text, format(undefined)]),
    ...after
      .filter((text) => !before.includes(text))
      .map((text): Change => [format(undefined), text]),
  ];
  // The same sentences in another order or number.
  return changes.length === 0 ? [[format(accepted), format(now)]] : changes;
}

function formatOrder({ accepted, now }: LayoutDifference, nameOf: (id: string) => string): Change {
  const formatNames = (ids: unknown): string =>
    listOf(ids)
      .map((id) => nameOf(String(id)))
      .join(", ");
  return [formatNames(accepted), formatNames(now)];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
