import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { IN_NODE } from "../../../client/node/in-node.ts";
import { hashSound } from "../../../client/send/hash-sound.ts";
import { isSoundFileName } from "../../../core/manifest/manifest.ts";
import { formatEncoding } from "../../../core/text/find-wrapping.ts";
import { formatJsonError, parseJsonOrThrow } from "../../../core/text/parse-json.ts";
import { isJsonObject, type JsonObject } from "../../../core/text/json-object.ts";
import { Failure, WrongUse } from "../../fail.ts";
import { inNaturalOrder, isWav, openSound } from "../../sound-files.ts";
import {
  type LooseOptions,
  type LooseSounds,
  readLooseSounds,
  type SaidOfLoose,
} from "./read-loose-sounds.ts";

/**
 * Reads one folder, or WAV files, into a package.
 * @param appName the app's name in a package of loose files
 * @param said what a person says about loose files
 * @throws {WrongUse} if the paths are anything else
 * @throws {Failure | ClientError} with a sentence if something can't be read
 */
export async function readOutgoing(
  paths: readonly string[],
  appName: string,
  said: SaidOfLoose = {},
): Promise<LooseSounds> {
  const options = { appName, said };
  const kinds = await Promise.all(paths.map(kindOf));
  const [path = ""] = paths;
  if (!kinds.includes("folder")) return readLooseSounds({ files: paths }, options);
  if (paths.length > 1) throw new WrongUse("Send either one folder or WAV files.");
  return readFolder(resolve(path), options);
}

async function kindOf(path: string): Promise<"file" | "folder"> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Failure(`${path} can't be found.`, { cause });
  });
  if (found.isDirectory()) return "folder";
  if (!isWav(path)) throw new WrongUse(`${path} is not a WAV file; only WAV files can be sent.`);
  return "file";
}

async function readFolder(folder: string, options: LooseOptions): Promise<LooseSounds> {
  const names = await readdir(folder);
  if (names.includes("manifest.json")) {
    return readPackageFolder(folder);
  }
  const wavs = names
    .filter((name) => isWav(name) && !name.startsWith("."))
    .toSorted(inNaturalOrder);
  if (wavs.length === 0) throw new Failure(`${folder} has neither a manifest.json nor WAV files.`);
  const files = wavs.map((name) => join(folder, name));
  return readLooseSounds({ folder, files }, options);
}

/** Reads a folder with a manifest, and fills in missing sizes and checksums. */
async function readPackageFolder(folder: string): Promise<LooseSounds> {
  const manifest = await readManifest(join(folder, "manifest.json"));
  const sounds = new Map<string, Blob>();
  const items: unknown[] = [];
  const said: string[] = [];
  for (const item of Array.isArray(manifest["items"]) ? manifest["items"] : []) {
    const file: unknown = isJsonObject(item) ? item["file"] : undefined;
    // Other names might lead out of the folder; the relay refuses them with a sentence.
    if (!isJsonObject(item) || typeof file !== "string" || !isSoundFileName(file)) {
      items.push(item);
      continue;
    }
    const { original, source, notes } = await openSound(await realPathInside(folder, file));
    const found = await measure(original);
    // A file that isn't the announced one may be damaged: the relay says so.
    const isAnnounced = isSame(item["bytes"], found.bytes) && isSame(item["sha256"], found.sha256);
    const sound = isAnnounced ? source : original;
    if (isAnnounced) said.push(...notes);
    sounds.set(file, sound);
    items.push(sound === original ? { ...found, ...item } : { ...item, ...(await measure(sound)) });
  }
  const filled = Array.isArray(manifest["items"]) ? { ...manifest, items } : manifest;
  return { manifest: filled, sounds, undecided: [], recordings: [], notes: said };
}

async function measure(sound: Blob): Promise<{ readonly bytes: number; readonly sha256: string }> {
  return { bytes: sound.size, sha256: await hashSound(sound, IN_NODE) };
}

/** Compares a value of a manifest, if it has one, with the file's. */
function isSame(stated: unknown, found: number | string): boolean {
  const value = typeof stated === "string" ? stated.toLowerCase() : stated;
  return value === undefined || value === found;
}

/** Refuses links that lead out of the folder, which may come from somebody else. */
async function realPathInside(folder: string, file: string): Promise<string> {
  const path = await realpath(join(folder, file)).catch((cause: unknown) => {
    throw new Failure(`${file} is in manifest.json but not in ${folder}.`, { cause });
  });
  if (path.startsWith((await realpath(folder)) + sep)) return path;
  throw new Failure(`${join(folder, file)} is outside its folder.`);
}

async function readManifest(path: string): Promise<JsonObject> {
  const bytes = await readFile(path);
  const encoded = formatEncoding(bytes);
  if (encoded !== undefined) throw new Failure(`${path} ${encoded}`);
  const text = bytes.toString("utf8");
  let manifest: unknown;
  try {
    manifest = parseJsonOrThrow(text);
  } catch (cause) {
    throw new Failure(`${path} ${formatJsonError(text)}`, { cause });
  }
  if (!isJsonObject(manifest)) throw new Failure(`${path} must contain a JSON object.`);
  return manifest;
}
