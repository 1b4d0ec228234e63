import { isJsonObject } from "../text/json-object.ts";
import type { LayoutJson, TrackJson } from "./layout-json.ts";

/** One way in which a layout is not as a person accepted it. */
export interface LayoutDifference {
  /** The sound's id; null for what concerns the package as a whole. */
  readonly sound: string | null;
  /**
   * A key of a track's JSON, such as `warp_mode`, `notes` or `error`; `warnings`, those of the sound or of the
   * package; `presence` for a sound that only one of the two has, with its clip's name as the value; of a package
   * `scene`, the scene's name, and `order`, the ids of sounds that stand in another order.
   */
  readonly setting: string;
  /** As the golden has it; undefined where it has none. */
  readonly accepted: unknown;
  /** As it is now; undefined where it is no more. */
  readonly now: unknown;
}

/**
 * Every way in which a layout differs from the accepted one (rule B3); empty when it is the same. What
 * concerns the package comes first, then sound by sound in the order of the layout, at the end the
 * sounds that are no more.
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

/** The difference in one setting, or none. */
function differ(
  sound: string | null,
  setting: string,
  accepted: unknown,
  now: unknown,
): readonly LayoutDifference[] {
  return isSame(accepted, now) ? [] : [{ sound, setting, accepted, now }];
}

function compareTracks(
  id: string,
  accepted: TrackJson | undefined,
  now: TrackJson | undefined,
): readonly LayoutDifference[] {
  if (accepted === undefined || now === undefined) {
    return differ(id, "presence", accepted?.clip, now?.clip);
  }
  // Of a sound that can't be used there are no settings: that it can't, or can again, says it all.
  const isOfOneForm = "error" in accepted === "error" in now;
  const settings = isOfOneForm ? Object.keys(now) : ["track", "clip", "kind", "error"];
  return settings.flatMap((setting) =>
    differ(id, setting, Reflect.get(accepted, setting), Reflect.get(now, setting)),
  );
}

/** Only sounds that both have can change places; those at both ends that did not are left out. */
function compareOrder(
  accepted: readonly string[],
  now: readonly string[],
): readonly LayoutDifference[] {
  const before = accepted.filter((id) => now.includes(id));
  const after = now.filter((id) => accepted.includes(id));
  const hasMoved = (id: string, place: number) => id !== after[place];
  const first = before.findIndex(hasMoved);
  const end = before.findLastIndex(hasMoved) + 1;
  // Where none has moved, `end` is 0 and both spans are empty.
  return differ(null, "order", before.slice(first, end), after.slice(first, end));
}

/** Warnings of a sound; with null those of the package, and of whatever is none of its sounds. */
function warningsOf(
  id: string | null,
  { warnings }: LayoutJson,
  ids: ReadonlySet<string>,
): LayoutJson["warnings"] {
  return warnings.filter(({ sound }) =>
    id === null ? sound === undefined || !ids.has(sound) : sound === id,
  );
}

/** Whether two JSON values are the same; the order of an object's members doesn't matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, at) => isSame(entry, other[at]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
