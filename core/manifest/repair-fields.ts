import type { JsonObject } from "../text/json-object.ts";
import { type Field, FIELDS, type GroupName } from "./fields.ts";
import type { Manifest, Sound } from "./manifest.ts";
import { validateManifest } from "./validate.generated.js";
import { formatValue, type Subject, type WarningList } from "./warnings.ts";

/** Valid, repaired and cleaned values of each object, in canonical form. */
interface Kept {
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

/** The location of an object in a manifest. */
interface Place {
  /** The object's JSON Pointer. */
  readonly pointer: string;
  /** Prefix of property names in warnings, such as `tempo.`. */
  readonly prefix: string;
  /** Sound id, if the object is a sound. */
  readonly sound?: string;
}

/** The fields of each group with their names, listed once. */
const FIELD_LISTS = Object.fromEntries(
  Object.entries(FIELDS).map(([group, fields]) => [group, Object.entries<Field>(fields)]),
);

/**
 * Repairs one object in the table's field order, with one warning per repair and per unknown property
 * (rule M4). Omits values that need a refusal or another id.
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
  for (const [name, field] of FIELD_LISTS[group] ?? []) {
    if (raw[name] === undefined) continue;
    const keyword = keywords.get(`${pointer}/${name}`);
    const good = repairValue(raw[name], keyword, field, subject(name), warnings);
    if (good !== undefined) kept[name] = field.normalize?.(good) ?? good;
  }
  for (const name of unknownNames.get(pointer) ?? []) {
    warnings.add("PROPERTY_UNKNOWN", subject(name), {});
  }
  // Each value passed its field's schema or was repaired.
  return kept;
}

/** Returns the value to keep, or undefined to drop it. */
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

/** A manifest's violations of the strict schema. */
export interface Problems {
  /** Failed keyword by JSON Pointer; a list's entries count as the list. */
  readonly keywords: ReadonlyMap<string, string>;
  /** Unknown property names by the JSON Pointer of their object. */
  readonly unknownNames: ReadonlyMap<string, readonly string[]>;
}

/** Keyword of a known property in the wrong place, such as `bpm` on a one-shot. */
const NOT_HERE = "false schema";

/** Longest date in UTF-16 units. The format check is slow on long text. */
const MAX_DATE_UNITS = 100;

/** Validates a manifest against the strict schema, in time linear in its size. */
export function findProblems(manifest: JsonObject): Problems {
  const keywords = new Map<string, string>();
  const unknownNames = new Map<string, string[]>();
  const checkable = hasLongDate(manifest) ? { ...manifest, created_at: null } : manifest;
  const errors = validateManifest(checkable) ? [] : (validateManifest.errors ?? []);
  for (const { instancePath, keyword, params } of errors) {
    if (params.additionalProperty === undefined) {
      const pointer = instancePath.replace(/\/\d+$/, "");
      if (keywords.get(pointer) !== NOT_HERE) keywords.set(pointer, keyword);
    } else {
      const names = unknownNames.get(instancePath);
      if (names) names.push(params.additionalProperty);
      else unknownNames.set(instancePath, [params.additionalProperty]);
    }
  }
  return { keywords, unknownNames };
}

function hasLongDate({ created_at: date }: JsonObject): boolean {
  return typeof date === "string" && date.length > MAX_DATE_UNITS;
}
