import { MAX_SOUNDS } from "../limits.ts";
import { type Refusal, refusal, refuseAll } from "../protocol/refusal.ts";
import { isPortableFileName } from "../text/file-name.ts";
import { isJsonObject, type JsonObject } from "../text/json-object.ts";
import { DEFAULT_APP, DEFAULT_TITLE } from "./fields.ts";
import { type AnnouncedManifest, type Manifest, SCHEMA, type Warning } from "./manifest.ts";
import { readSounds, type ReadSounds } from "./read-sounds.ts";
import { findProblems, type Problems, repairFields } from "./repair-fields.ts";
import { WarningList } from "./warnings.ts";

interface Options {
  /** Replaces any id that was sent. */
  readonly packageId: string;
  /** True for a folder on a disk, where `file` may be any name that rule F1 gives; false by default. */
  readonly isOnDisk?: boolean;
}

/** An accepted manifest and the warnings for its repairs. */
export interface ParsedManifest {
  readonly manifest: AnnouncedManifest;
  readonly warnings: readonly Warning[];
}

/** A local package's manifest, with the problems of its sounds. */
export interface ParsedLocalManifest {
  readonly manifest: Manifest;
  readonly warnings: readonly Warning[];
  /**
   * Sentences by sound id that say why a sound can't be used. Check before reading `file`, which is unreliable for
   * these.
   */
  readonly problems: ReadonlyMap<string, string>;
  /** The same as refusals: the first of each sound. */
  readonly refusals: ReadonlyMap<string, Refusal>;
}

/**
 * Validates and repairs a manifest (rules M1–M7). Every repair adds a warning.
 * @param value any parsed JSON value
 * @throws {Refusal} 422 for the first problem in reading order that has no repair, with all of them as its `problems`
 */
export function parseManifest(value: unknown, options: Options): ParsedManifest {
  const { manifest, warnings, refusals } = readManifest(value, options, true);
  const [first, ...more] = [...refusals.values()].flat();
  if (first) throw refuseAll([first, ...more]);
  if (!isAnnounced(manifest)) throw new Error("A sound without size or checksum was not refused.");
  return { manifest, warnings };
}

function isAnnounced(manifest: Manifest): manifest is AnnouncedManifest {
  return manifest.items.every(({ bytes, sha256 }) => bytes !== undefined && sha256 !== undefined);
}

/**
 * Repairs a local package's manifest like `parseManifest`, but `bytes` and `sha256` are optional, and
 * an invalid sound keeps its place with a problem.
 * @throws {Refusal} 422 if the format is unknown or `items` isn't a list of 1 to `MAX_SOUNDS`
 */
export function parseLocalManifest(value: unknown, options: Options): ParsedLocalManifest {
  const { manifest, warnings, refusals: all } = readManifest(value, options, false);
  const refusals = new Map([...all].map(([id, [first]]) => [id, first]));
  const problems = new Map([...refusals].map(([id, { message }]) => [id, message]));
  return { manifest, warnings, problems, refusals };
}

interface Reading {
  readonly manifest: Manifest;
  readonly warnings: readonly Warning[];
  readonly refusals: ReadSounds["refusals"];
}

function readManifest(value: unknown, options: Options, isDigestNeeded: boolean): Reading {
  const { packageId, isOnDisk = false } = options;
  const { raw, rawSounds } = readShape(value);
  const strict = findProblems(raw);
  const problems = isOnDisk ? withDiskNames(strict, rawSounds) : strict;
  const warnings = new WarningList();
  const repairPart = <Group extends "source" | "tempo">(group: Group, part: JsonObject) =>
    repairFields(group, part, { pointer: `/${group}`, prefix: `${group}.` }, problems, warnings);

  const kept = repairFields("manifest", raw, { pointer: "", prefix: "" }, problems, warnings);
  const source = repairPart("source", kept.source ?? {});
  const tempo = kept.tempo && repairPart("tempo", kept.tempo);
  const { items, refusals } = readSounds(rawSounds, isDigestNeeded, problems, warnings);
  const manifest: Manifest = {
    schema: SCHEMA,
    package_id: packageId,
    ...(kept.created_at !== undefined && { created_at: kept.created_at }),
    title: kept.title ?? DEFAULT_TITLE,
    source: { ...source, app: source.app ?? DEFAULT_APP },
    ...(tempo && { tempo }),
    items,
  };
  return { manifest, warnings: warnings.list(), refusals };
}

/** Accepts the file names that an importer gives (rule F1), such as `Bässe (2).wav`. */
function withDiskNames(problems: Problems, rawSounds: readonly unknown[]): Problems {
  const keywords = new Map(problems.keywords);
  for (const [index, sound] of rawSounds.entries()) {
    const file = isJsonObject(sound) ? sound["file"] : undefined;
    if (typeof file === "string" && isPortableFileName(file, ".wav")) {
      keywords.delete(`/items/${index}/file`);
    }
  }
  return { ...problems, keywords };
}

const ANY_FORMAT = /^app2host\/(\d+)$/;
const FORMAT = { about: { field: "schema" } };
const ITEMS = { about: { field: "items" } };

/**
 * Validates a manifest's outer shape (rules M1, M2): `schema` first, since a newer format may have no `items`.
 * @throws {Refusal} 422
 */
function readShape(value: unknown): {
  readonly raw: JsonObject;
  /** 1 to `MAX_SOUNDS` entries of any type. */
  readonly rawSounds: readonly unknown[];
} {
  if (!isJsonObject(value)) throw refusal("MANIFEST_NOT_OBJECT");
  const { schema, items } = value;
  if (schema !== SCHEMA) throw refuseFormat(schema);
  if (!Array.isArray(items) || items.length === 0) throw refusal("ITEMS_MISSING", {}, ITEMS);
  if (items.length > MAX_SOUNDS) throw refusal("ITEMS_TOO_MANY", { count: items.length }, ITEMS);
  return { raw: value, rawSounds: items };
}

function refuseFormat(schema: unknown): Refusal {
  const version = typeof schema === "string" ? ANY_FORMAT.exec(schema)?.[1] : undefined;
  return Number(version) > 1
    ? refusal("SCHEMA_NEWER", { schema: String(schema) }, FORMAT)
    : refusal("SCHEMA_UNKNOWN", {}, FORMAT);
}
