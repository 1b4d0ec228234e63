import type { LayoutDifference } from "../../../core/layout/compare-layouts.ts";
import type { LayoutJson } from "../../../core/layout/layout-json.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { formatSetting, nameSetting } from "../../../core/text/format-setting.ts";
import type { CheckProblem } from "./checked-package.ts";

/** Lists of sentences, shown by what was added and removed. */
const LISTS = new Set(["notes", "warnings"]);

type Change = readonly [was: string, is: string];

/** Describes a package's differences in the host's words (rule B3), without their places. */
export function describeDifferences(
  differences: readonly LayoutDifference[],
  accepted: LayoutJson,
  now: LayoutJson,
): readonly CheckProblem[] {
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
  return differences.map((difference): CheckProblem => {
    const { sound, setting: code } = difference;
    const label = nameSetting(inEnglish, code);
    const changes = changesOf(difference).map((change) => distinct(change, difference));
    return {
      severity: "error",
      sound,
      name: sound === null ? "" : nameOf(sound),
      number: (sound === null ? undefined : numbers.get(sound)) ?? null,
      code,
      label,
      sentence: `${label}: ${changes.map((change) => change.join(" → ")).join("; ")}`,
      changes,
      difference,
      place: null,
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
