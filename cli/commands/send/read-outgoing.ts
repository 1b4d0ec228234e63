import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { IN_NODE, soundFile } from "../../../client/node/in-node.ts";
import { hashSound } from "../../../client/send/hash-sound.ts";
import type { OutgoingPackage } from "../../../client/send/package-draft.ts";
import { isSoundFileName } from "../../../core/manifest/manifest.ts";
import { formatJsonError, parseJsonOrThrow } from "../../../core/text/parse-json.ts";
import { isJsonObject, type JsonObject } from "../../../core/text/json-object.ts";
import { Failure, WrongUse } from "../../fail.ts";
import { inNaturalOrder, isWav } from "../../sound-files.ts";
import {
  type LooseOptions,
  readLooseSounds,
  type SaidOfLoose,
  type UndecidedSound,
} from "./read-loose-sounds.ts";

/** A package that is ready to be sent, and what its sounds' names and lengths don't say. */
export interface ReadOutgoing extends OutgoingPackage {
  /** The undecided sounds; none for a folder with a manifest. */
  readonly undecided: readonly UndecidedSound[];
}

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
): Promise<ReadOutgoing> {
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

async function readFolder(folder: string, options: LooseOptions): Promise<ReadOutgoing> {
  const names = await readdir(folder);
  if (names.includes("manifest.json")) {
    return { ...(await readPackageFolder(folder)), undecided: [] };
  }
  const wavs = names
    .filter((name) => isWav(name) && !name.startsWith("."))
    .toSorted(inNaturalOrder);
  if (wavs.length === 0) throw new Failure(`${folder} has neither a manifest.json nor WAV files.`);
  const files = wavs.map((name) => join(folder, name));
  return readLooseSounds({ folder, files }, options);
}

/** Reads a folder with a manifest, and fills in missing sizes and checksums. */
async function readPackageFolder(folder: string): Promise<OutgoingPackage> {
  const manifest = await readManifest(join(folder, "manifest.json"));
  const sounds = new Map<string, Blob>();
  const items: unknown[] = [];
  for (const item of Array.isArray(manifest["items"]) ? manifest["items"] : []) {
    const file: unknown = isJsonObject(item) ? item["file"] : undefined;
    // Other names might lead out of the folder; the relay refuses them with a sentence.
    if (!isJsonObject(item) || typeof file !== "string" || !isSoundFileName(file)) {
      items.push(item);
      continue;
    }
    const sound = await soundFile(await realPathInside(folder, file));
    sounds.set(file, sound);
    items.push({ bytes: sound.size, sha256: await hashSound(sound, IN_NODE), ...item });
  }
  return { manifest: Array.isArray(manifest["items"]) ? { ...manifest, items } : manifest, sounds };
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
  const text = await readFile(path, "utf8");
  let manifest: unknown;
  try {
    manifest = parseJsonOrThrow(text);
  } catch (cause) {
    throw new Failure(`${path} ${formatJsonError(text)}`, { cause });
  }
  if (!isJsonObject(manifest)) throw new Failure(`${path} must contain a JSON object.`);
  return manifest;
}
