import type { PackageAudioJson, SoundAudioJson } from "../../../core/layout/audio-schema.ts";
import { secondsOf } from "../../../core/layout/compare-audio.ts";
import type { LayoutJson, TrackJson } from "../../../core/layout/layout-json.ts";
import { nameSetting, formatSetting } from "../../../core/text/format-setting.ts";
import { t } from "../../kit/page-language.ts";
import type { PreviewReadScene } from "../../../core/protocol/preview-api.ts";

/** One cell of the accepted or the current layout. */
export interface ComparedCell {
  readonly words: string;
  /** True if the other layout differs here. */
  readonly isOther: boolean;
}

/** One sound in one of the two layouts. */
interface ComparedRow {
  readonly soundId: string;
  /** True if both layouts agree on the sound. */
  readonly isSame: boolean;
  /** One cell per heading of `COMPARED_HEADINGS`; null if this layout lacks the sound. */
  readonly cells: readonly ComparedCell[] | null;
}

/** One of the two layouts, with its rows aligned to the other's. */
export interface ComparedLayout {
  readonly scene: ComparedCell;
  readonly rows: readonly ComparedRow[];
  /** The warnings about the whole package. */
  readonly warnings: ComparedCell;
}

/** The settings shown in each column. */
const COLUMNS: readonly (readonly [setting: string, ...alsoIn: string[]])[] = [
  ["track"],
  ["clip"],
  ["kind"],
  ["warp_mode", "warping"],
  ["loop_beats", "looping"],
  ["tempo_bpm"],
  ["color_index"],
  ["gain_db"],
  ["role"],
  ["file"],
  ["audio"],
  ["sample_rate_hz"],
  ["bits", "encoding"],
  ["channels"],
  ["length"],
  ["notes", "warnings", "error"],
];

export const COMPARED_HEADINGS: readonly string[] = [
  "#",
  ...COLUMNS.map(([setting]) => nameSetting(t, setting)),
];

/** Aligns the accepted and the current layout, row by row; `accepted` is null without a readable one. */
export function compareSides(scene: PreviewReadScene): {
  readonly accepted: ComparedLayout | null;
  readonly now: ComparedLayout;
} {
  const now: LayoutJson = {
    scene: { name: scene.name },
    tracks: scene.tracks,
    warnings: scene.warnings,
  };
  const { golden } = scene;
  const accepted = acceptedOf(scene, now);
  const others = new Set(
    (golden.status === "differs" ? golden.differences : []).map(({ sound, setting }) =>
      keyOf(sound, setting),
    ),
  );
  const ids = [...new Set([...now.tracks, ...(accepted?.tracks ?? [])].map(({ id }) => id))];
  const moved = new Set(movedIn(scene));
  const sideOf = (layout: LayoutJson, audio: PackageAudioJson | undefined) =>
    alignLayout(layout, { ids, others, moved, audio });
  const audio = golden.status === "differs" ? golden.audio : undefined;
  return {
    accepted: accepted === null ? null : sideOf(accepted, audio?.accepted),
    now: sideOf(now, audio?.now),
  };
}

function acceptedOf({ golden }: PreviewReadScene, now: LayoutJson): LayoutJson | null {
  if (golden.status === "differs") return golden.accepted;
  return golden.status === "same" ? now : null;
}

/** Returns the indexes of the columns with words on either side. */
export function filledColumns(sides: readonly ComparedLayout[]): readonly number[] {
  const rows = sides.flatMap((side) => side.rows);
  return COMPARED_HEADINGS.map((_, column) => column).filter((column) =>
    rows.some(({ cells }) => cells?.[column]?.words !== ""),
  );
}

/** Returns the indexes of the columns that differ, and of those that identify the sound. */
export function differingColumns(sides: readonly ComparedLayout[]): readonly number[] {
  const rows = sides.flatMap((side) => side.rows);
  return COMPARED_HEADINGS.map((_, column) => column).filter(
    (column) => column < 2 || rows.some(({ cells }) => cells?.[column]?.isOther === true),
  );
}

interface AlignOptions {
  /** The sounds of both layouts. */
  readonly ids: readonly string[];
  /** Keys of the settings that differ. */
  readonly others: ReadonlySet<string>;
  /** Ids of sounds whose order differs. */
  readonly moved: ReadonlySet<unknown>;
  /** The audio of this side; undefined unless something differs. */
  readonly audio: PackageAudioJson | undefined;
}

function alignLayout(
  layout: LayoutJson,
  { ids, others, moved, audio }: AlignOptions,
): ComparedLayout {
  const sounds = new Map(audio?.sounds.map((sound) => [sound.id, sound]));
  const rows = ids.map((soundId): ComparedRow => {
    const isOther = (setting: string): boolean => others.has(keyOf(soundId, setting));
    const place = layout.tracks.findIndex(({ id }) => id === soundId);
    const track = layout.tracks[place];
    const settings = ["presence", ...COLUMNS.flat()];
    const isSame = !moved.has(soundId) && !settings.some(isOther);
    if (track === undefined) return { soundId, isSame, cells: null };
    const number = { words: String(place + 1), isOther: moved.has(soundId) };
    const cells = COLUMNS.map((column) => ({
      words: formatColumn(column[0], track, { layout, audio: sounds.get(soundId) }),
      // One mark is enough if the other layout lacks the sound.
      isOther: column.some(isOther) || (column[0] === "track" && isOther("presence")),
    }));
    return { soundId, isSame, cells: [number, ...cells] };
  });
  const ofPackage = layout.warnings.filter(({ sound }) => !ids.some((id) => id === sound));
  return {
    scene: { words: layout.scene.name, isOther: others.has(keyOf(null, "scene")) },
    rows,
    warnings: {
      words: ofPackage.map(({ message }) => message).join(" "),
      isOther: others.has(keyOf(null, "warnings")),
    },
  };
}

/** Formats a track's setting; an unusable sound has a reason instead of settings. */
function formatColumn(
  setting: string,
  track: TrackJson,
  { layout, audio }: { readonly layout: LayoutJson; readonly audio: SoundAudioJson | undefined },
): string {
  if (setting === "notes") {
    const own = layout.warnings
      .filter(({ sound }) => sound === track.id)
      .map(({ message }) => message);
    const said = "error" in track ? [track.error] : track.notes;
    return [...said, ...own].join(" ");
  }
  if (setting === "track" || setting === "clip") return track[setting];
  const value: unknown = Reflect.has(track, setting)
    ? Reflect.get(track, setting)
    : audioValue(setting, audio);
  if (value !== undefined) return formatSetting(t, setting, value, track.kind);
  return "";
}

/** Returns a setting of a sound's file or audio; undefined if it is none. */
function audioValue(setting: string, audio: SoundAudioJson | undefined): unknown {
  if (audio === undefined) return undefined;
  if (setting === "audio") return audio.sha256;
  return setting === "length" ? secondsOf(audio) : Reflect.get(audio, setting);
}

function movedIn({ golden }: PreviewReadScene): readonly unknown[] {
  if (golden.status !== "differs") return [];
  return golden.differences.flatMap(({ setting, now }) =>
    setting === "order" && Array.isArray(now) ? now : [],
  );
}

function keyOf(sound: string | null, setting: string): string {
  return JSON.stringify([sound, setting]);
}
