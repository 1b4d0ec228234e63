import { isJsonObject } from "../text/json-object.ts";
import type { LayoutJson, TrackJson } from "./layout-json.ts";
import { PALETTE } from "./palette.ts";

/** One difference between a layout and the accepted one. */
export interface LayoutDifference {
  /** The sound's id; null for the whole package. */
  readonly sound: string | null;
  /**
   * A key of a track's JSON, such as `warp_mode`, or `warnings`. `presence`: only one layout has the sound;
   * the value is its clip name. Package only: `scene` (its name) and `order` (ids of the sounds that moved).
   */
  readonly setting: string;
  /** The accepted value; undefined if there is none. */
  readonly accepted: unknown;
  /** The current value; undefined if there is none. */
  readonly now: unknown;
}

/**
 * Lists every difference between a layout and the accepted one (rule B3), except `colorsNowAutomatic`: first the
 * package's, then each sound's in layout order, then those of removed sounds.
 */
export function compareLayouts(accepted: LayoutJson, now: LayoutJson): readonly LayoutDifference[] {
  const before = new Map(accepted.tracks.map((track) => [track.id, track]));
  const after = new Map(now.tracks.map((track) => [track.id, track]));
  const ids = new Set([...after.keys(), ...before.keys()]);
  const compareWarnings = (id: string | null): readonly LayoutDifference[] =>
    differ(id, "warnings", warningsOf(id, accepted, ids), warningsOf(id, now, ids));
  return [
    ...differ(null, "scene", accepted.scene.name, now.scene.name),
    ...compareOrder([...before.keys()], [...after.keys()]),
    ...compareWarnings(null),
    ...[...ids].flatMap((id) =>
      compareTracks(id, before.get(id), after.get(id)).concat(compareWarnings(id)),
    ),
  ];
}

/** Returns the difference in one setting, or none. */
export function differ(
  sound: string | null,
  setting: string,
  accepted: unknown,
  now: unknown,
): readonly LayoutDifference[] {
  return isEqual(accepted, now) ? [] : [{ sound, setting, accepted, now }];
}

function compareTracks(
  id: string,
  accepted: TrackJson | undefined,
  now: TrackJson | undefined,
): readonly LayoutDifference[] {
  if (accepted === undefined || now === undefined) {
    return differ(id, "presence", accepted?.clip, now?.clip);
  }
  // An unusable sound has no settings to compare.
  const hasSameForm = "error" in accepted === "error" in now;
  const settings = hasSameForm ? Object.keys(now) : ["track", "clip", "kind", "error"];
  const isNowAutomatic = isColorNowAutomatic(accepted, now);
  return settings
    .filter((setting) => !(isNowAutomatic && setting === "color_index"))
    .flatMap((setting) =>
      differ(id, setting, Reflect.get(accepted, setting), Reflect.get(now, setting)),
    );
}

/**
 * Returns the ids of the sounds whose accepted layout has a color and whose current one is automatic (rule T4). That
 * is no difference: goldens from before colors were automatic are still right.
 */
export function colorsNowAutomatic(accepted: LayoutJson, now: LayoutJson): readonly string[] {
  const before = new Map(accepted.tracks.map((track) => [track.id, track]));
  return now.tracks
    .filter((track) => isColorNowAutomatic(before.get(track.id), track))
    .map(({ id }) => id);
}

function isColorNowAutomatic(accepted: TrackJson | undefined, now: TrackJson): boolean {
  if (accepted === undefined || "error" in accepted || "error" in now) return false;
  const { color_index } = accepted;
  return now.color_index === null && color_index !== null && PALETTE[color_index] !== undefined;
}

/** Compares the sounds that both layouts have, without the unmoved ones at both ends. */
function compareOrder(
  accepted: readonly string[],
  now: readonly string[],
): readonly LayoutDifference[] {
  const before = accepted.filter((id) => now.includes(id));
  const after = now.filter((id) => accepted.includes(id));
  const hasMoved = (id: string, place: number) => id !== after[place];
  const first = before.findIndex(hasMoved);
  const end = before.findLastIndex(hasMoved) + 1;
  // If none moved, `end` is 0 and both spans are empty.
  return differ(null, "order", before.slice(first, end), after.slice(first, end));
}

/** Returns the warnings of a sound; for null those of the package and of unknown sounds. */
function warningsOf(
  id: string | null,
  { warnings }: LayoutJson,
  ids: ReadonlySet<string>,
): LayoutJson["warnings"] {
  return warnings.filter(({ sound }) =>
    id === null ? sound === undefined || !ids.has(sound) : sound === id,
  );
}

/** Compares JSON values deeply; the order of members doesn't matter. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, at) => isEqual(entry, other[at]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  );
}
