import { HEADER_SETTINGS } from "../../../core/layout/compare-audio.ts";
import { formatAudioSentences, nameOfSound } from "../../../core/layout/format-audio-changes.ts";
import type { LayoutDifference } from "../../../core/layout/compare-layouts.ts";
import type { LayoutJson } from "../../../core/layout/layout-json.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { formatSetting, nameSetting } from "../../../core/text/format-setting.ts";
import type { PreviewGolden } from "../../../core/protocol/preview-api.ts";
import type { DescribedProblem } from "./checked-package.ts";

type DifferingGolden = Extract<PreviewGolden, { readonly status: "differs" }>;

/** Settings that the sentences about files and audio say. */
const OF_AUDIO = new Set([...HEADER_SETTINGS, "file"]);

/**
 * Describes everything that differs from a golden (rule B3), without places: the settings, then a sentence for each
 * sound whose file or audio changed. Problems have sentences of their own.
 */
export function describeGoldenDifferences(
  { accepted, audio, differences, problems }: DifferingGolden,
  now: LayoutJson,
): readonly DescribedProblem[] {
  const explained = new Set(problems.map(({ sound }) => sound));
  const settings = differences.filter(
    ({ sound, setting }) =>
      !OF_AUDIO.has(setting) && !(setting === "error" && sound !== null && explained.has(sound)),
  );
  const nameOf = nameOfSound(accepted, now);
  const sentences = formatAudioSentences(audio, nameOf).map(
    ({ sound, setting, text: sentence }): DescribedProblem => ({
      severity: "error",
      kind: "audio",
      sound,
      name: nameOf(sound),
      number: now.tracks.findIndex(({ id }) => id === sound) + 1,
      code: setting,
      label: nameSetting(inEnglish, setting),
      sentence,
      changes: [],
    }),
  );
  return [...describeDifferences(settings, accepted, now), ...sentences];
}

/** Lists of sentences, shown by what was added and removed. */
const LISTS = new Set(["notes", "warnings"]);

type Change = readonly [was: string, is: string];

/** Describes settings that differ, in the host's words. */
export function describeDifferences(
  differences: readonly LayoutDifference[],
  accepted: LayoutJson,
  now: LayoutJson,
): readonly DescribedProblem[] {
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
  return differences.map((difference): DescribedProblem => {
    const { sound, setting: code } = difference;
    const label = nameSetting(inEnglish, code);
    const changes = changesOf(difference).map((change) => distinct(change, difference));
    return {
      severity: "error",
      kind: "setting",
      sound,
      name: sound === null ? "" : nameOf(sound),
      number: (sound === null ? undefined : numbers.get(sound)) ?? null,
      code,
      label,
      sentence: `${label}: ${changes.map((change) => change.join(" → ")).join("; ")}`,
      changes,
    };
  });
}

/** A change; as JSON if the two values look the same once formatted. */
function distinct([was, is]: Change, { accepted, now }: LayoutDifference): Change {
  return was === is ? [JSON.stringify(accepted), JSON.stringify(now)] : [was, is];
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
