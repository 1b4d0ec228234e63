import type { Sound } from "../manifest/manifest.ts";
import { isPortableFileName } from "../text/file-name.ts";
import { isJsonObject } from "../text/json-object.ts";
import { parseJson } from "../text/parse-json.ts";

/** A sound as the folder's manifest has it. */
export interface SavedSound extends Pick<Sound, "file" | "name"> {
  /** The proof of its bytes, if the manifest has it. */
  readonly digest: Pick<Sound, "bytes" | "sha256">;
}

/** Reads the sounds of a folder's manifest by id, with a rough check; none in any other text. */
export function parseSavedSounds(text: string): ReadonlyMap<string, SavedSound> {
  const value = parseJson(text);
  const items = isJsonObject(value) ? value["items"] : undefined;
  const sounds = new Map<string, SavedSound>();
  for (const item of Array.isArray(items) ? items : []) {
    if (!isJsonObject(item)) continue;
    const { id, file, name, bytes, sha256 } = item;
    if (typeof id !== "string" || typeof file !== "string" || typeof name !== "string") continue;
    const isProven = typeof bytes === "number" && typeof sha256 === "string";
    const digest = isProven ? { bytes, sha256 } : {};
    if (isPortableFileName(file, ".wav")) sounds.set(id, { file, name, digest });
  }
  return sounds;
}
