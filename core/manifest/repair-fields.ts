import type { JsonObject } from "../text/json-object.ts";
import { FIELDS, type Field, type GroupName } from "./fields.ts";
import { NOT_HERE, type Problems } from "./find-problems.ts";
import type { Manifest, Sound } from "./manifest.ts";
import { formatValue, type Subject, type WarningList } from "./warnings.ts";

/** What is kept of each object of a manifest: good, repaired and cleaned values in their one form. */
export interface Kept {
  readonly manifest: {
    readonly created_at?: string;
    readonly title?: string;
    readonly source?: JsonObject;
    readonly tempo?: JsonObject;
  };
  readonly source: Partial<Manifest["source"]>;
  readonly tempo: NonNullable<Manifest["tempo"]>;
  readonly sound: Partial<Sound>;
}

/** Where an object of a manifest is. */
export interface Place {
  /** Its JSON Pointer. */
  readonly pointer: string;
  /** What goes before a property's name in a warning, such as `tempo.`. */
  readonly prefix: string;
  /** Id of the sound that it is. */
  readonly sound?: string;
}

/**
 * Repairs one object of a manifest, property by property in the table's order, then its unknown
 * properties, one warning each (rule M4). What needs a refusal or another id is just left out.
 */
export function repairFields<Group extends GroupName>(
  group: Group,
  raw: JsonObject,
  { pointer, prefix, sound }: Place,
  { keywords, unknownNames }: Problems,
  warnings: WarningList,
): Kept[Group] {
  const subject = (name: string): Subject => ({
    field: prefix + name,
    ...(sound !== undefined && { sound }),
  });
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<Field>(FIELDS[group])) {
    if (raw[name] === undefined) continue;
    const keyword = keywords.get(`${pointer}/${name}`);
    const good = repairValue(raw[name], keyword, field, subject(name), warnings);
    if (good !== undefined) kept[name] = field.normalize?.(good) ?? good;
  }
  for (const name of unknownNames.get(pointer) ?? []) {
    warnings.add("PROPERTY_UNKNOWN", subject(name), {});
  }
  // Each value has passed the schema of its field, or its remedy has made it good.
  return kept;
}

/** The value to keep; undefined where there is none. */
function repairValue(
  value: unknown,
  keyword: string | undefined,
  { remedy, form }: Field,
  subject: Subject,
  warnings: WarningList,
): unknown {
  if (keyword === NOT_HERE) {
    warnings.add("LOOP_ONLY", subject, {});
    return undefined;
  }
  if (remedy.kind === "ignore") {
    warnings.add("MIDI_IGNORED", subject, {});
    return undefined;
  }
  if (remedy.kind === "clean" && typeof value === "string") {
    const { text, change } = remedy.clean(value);
    if (change === "cut") warnings.add("TEXT_CUT", subject, { max: remedy.maxLength });
    if (change === "cleaned") warnings.add("TEXT_CLEANED", subject, {});
    return text === "" ? undefined : text;
  }
  if (keyword === undefined) return value;
  if (remedy.kind === "refuse" || remedy.kind === "replace") return undefined;
  if (remedy.kind === "clamp" && typeof value === "number") {
    const kept = Math.min(Math.max(value, remedy.min), remedy.max);
    warnings.add("VALUE_CLAMPED", subject, { form, value: formatValue(value), kept });
    return kept;
  }
  warnings.add("VALUE_IGNORED", subject, { form, value: formatValue(value) });
  return undefined;
}
