import { LocalPackageError } from "../../../addon/packages/local-package-error.ts";
import { judgeManifest } from "../manifest/find-faults.ts";
import { readManifestFile } from "../manifest/manifest-file.ts";
import { findEntry, findValue, parseManifestTree, TextLines } from "../manifest/manifest-tree.ts";
import { realpath } from "node:fs/promises";

/** A place in a manifest: line and column from 1; columns count UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The field of the manifest from which a setting of a sound comes, or which a code or a finding is about. */
const FIELD_OF_SOUND: Readonly<Record<string, string>> = {
  track: "name",
  clip: "name",
  presence: "name",
  kind: "kind",
  role: "role",
  warp_mode: "warp_mode",
  loop_beats: "length_beats",
  tempo_bpm: "bpm",
  color_index: "color",
  gain_db: "gain_db",
  name: "name",
  length_beats: "length_beats",
  bpm: "bpm",
  SHA256_DIFFERS: "sha256",
  SIZE_DIFFERS: "bytes",
};

/** The same for the whole package. */
const FIELD_OF_PACKAGE: Readonly<Record<string, string>> = {
  scene: "title",
  order: "items",
  tempo_bpm: "tempo",
  time_signature: "tempo",
};

/** Settings that no field says: a loop's switches are at the sound itself. */
const OF_THE_SOUND = new Set(["warping", "looping", "notes", "warnings"]);

function fieldOf(sound: string | null, setting: string): string | undefined {
  if (sound === null) return FIELD_OF_PACKAGE[setting];
  return FIELD_OF_SOUND[setting] ?? (OF_THE_SOUND.has(setting) ? undefined : "file");
}

/**
 * Reads where a package's sounds are in its manifest.
 * @param folder without symbolic links
 * @param ids of the sounds, in the manifest's order
 * @returns a function that finds the field of a setting, or its sound or package if that lacks the field; a sound that
 *   is no longer there has the list of sounds
 */
export async function readPlaces(
  folder: string,
  ids: readonly string[],
): Promise<(sound: string | null, setting: string) => Place | null> {
  const text = await readManifestText(folder);
  if (text === undefined) return () => null;
  const { root } = parseManifestTree(text);
  const lines = new TextLines(text);
  return (sound, setting) => {
    const items = findValue(root, "items");
    const object = sound === null ? root : (findEntry(items, ids.indexOf(sound)) ?? items ?? root);
    const field = fieldOf(sound, setting);
    const node = (field === undefined ? undefined : findValue(object, field)) ?? object;
    return node === undefined ? null : lines.at(node.offset);
  };
}

/** Finds the first fault for which a manifest as a whole can't be used; null without one. */
export async function placeOfFault(path: string): Promise<Place | null> {
  const folder = await realpath(path).catch(() => undefined);
  const text = folder === undefined ? undefined : await readManifestText(folder);
  if (text === undefined) return null;
  const fault = judgeManifest(text).faults.find(({ isError, place }) => isError && place !== null);
  return fault?.place ? { line: fault.place.line, column: fault.place.column } : null;
}

async function readManifestText(folder: string): Promise<string | undefined> {
  try {
    return (await readManifestFile(folder)).text;
  } catch (error) {
    // A manifest that disappeared, or can't be read, has no places.
    if (error instanceof LocalPackageError) return undefined;
    throw error;
  }
}
