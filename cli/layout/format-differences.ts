import { HEADER_SETTINGS } from "../../core/layout/compare-audio.ts";
import type { LayoutDifference } from "../../core/layout/compare-layouts.ts";
import { formatAudioSentences, nameOfSound } from "../../core/layout/format-audio-changes.ts";
import type { LayoutJson } from "../../core/layout/layout-json.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import type { PreviewGolden } from "../../core/protocol/preview-api.ts";
import { formatSetting, nameSetting } from "../../core/text/format-setting.ts";
import { onOneLine } from "../../core/text/shorten.ts";
import { formatTable, type TableColumn } from "../../core/text/text-table.ts";

type DifferingGolden = Extract<PreviewGolden, { readonly status: "differs" }>;

/**
 * Formats everything that differs from a golden (rule B3): the settings as a table, then a sentence for each sound whose
 * file or audio changed, such as `Kick Deep: the audio changed (same length).` Problems have sentences of their own.
 */
export function formatGoldenDifferences(
  { accepted, audio, differences, problems }: DifferingGolden,
  now: LayoutJson,
): readonly string[] {
  const explained = new Set(problems.map(({ sound }) => sound));
  const settings = differences.filter(
    ({ sound, setting }) =>
      !OF_AUDIO.has(setting) && !(setting === "error" && sound !== null && explained.has(sound)),
  );
  const nameOf = nameOfSound(accepted, now);
  return [...formatDifferences(settings, accepted, now), ...formatAudioSentences(audio, nameOf)];
}

/** Settings that the sentences about files and audio say. */
const OF_AUDIO = new Set([...HEADER_SETTINGS, "file"]);

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
  const nameOf = nameOfSound(accepted, now);
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
