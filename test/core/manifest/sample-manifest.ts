import { isJsonObject, type JsonObject } from "../../../core/text/json-object.ts";
import { parseManifest } from "../../../core/manifest/parse-manifest.ts";
import type { AnnouncedManifest, Warning } from "../../../core/manifest/manifest.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";

export const PACKAGE_ID = "pkg_0123456789abcdefghijkl";
export const SHA256 = "0123456789abcdef".repeat(4);

/** A sound as an app sends it, good in every field that it needs. */
export function sentSound(fields: JsonObject = {}, file = "kick.wav"): JsonObject {
  return { file, bytes: 1000, sha256: SHA256, ...fields };
}

/** A manifest as an app sends it, with one sound where none are given. */
export function sentManifest(
  fields: JsonObject = {},
  items: readonly unknown[] = [sentSound()],
): JsonObject {
  return { schema: "app2host/1", items, ...fields };
}

/** Sounds that differ in their files, each with one entry's fields. */
export function sentSounds(...fields: readonly JsonObject[]): JsonObject[] {
  return fields.map((sound, index) => sentSound(sound, `sound-${index + 1}.wav`));
}

/** The parsed manifest, after a JSON round trip as over the wire. */
export function parsed(value: unknown): {
  readonly manifest: AnnouncedManifest;
  readonly warnings: readonly Warning[];
} {
  return parseManifest(JSON.parse(JSON.stringify(value)), { packageId: PACKAGE_ID });
}

/** The refusal of a value; throws if it is accepted. */
export function refusedBy(value: unknown): Refusal {
  try {
    parseManifest(value, { packageId: PACKAGE_ID });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("The manifest was not refused.");
}

/** The value of a property such as `tempo.bpm`. */
export function valueAt(manifest: unknown, path: string): unknown {
  let value: unknown = manifest;
  for (const name of path.split(".")) value = isJsonObject(value) ? value[name] : undefined;
  return value;
}
