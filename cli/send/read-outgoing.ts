import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, extname, join, resolve, sep } from "node:path";
import type { OutgoingPackage } from "../../client/outgoing-package.ts";
import { isJsonObject, type JsonObject } from "../../core/json-object.ts";
import { FIELDS } from "../../core/manifest/fields.ts";
import { SCHEMA } from "../../core/manifest/manifest.ts";
import { Failure, WrongUse } from "../fail.ts";
import { measureSound } from "./measure-sound.ts";

const { pattern, maxLength } = FIELDS.sound.file.schema;
const FILE_NAME = new RegExp(pattern);

/** Whether the package format takes a name for a file (section 2.4). */
function isFileName(name: string): boolean {
  return name.length <= maxLength && FILE_NAME.test(name);
}

/**
 * Reads what is to be sent: one folder, or WAV files.
 * @param appName names the app of a package that is made of loose files
 * @throws {WrongUse} when the paths are something else
 * @throws {Failure} with a sentence when something can't be read
 */
export async function readOutgoing(
  paths: readonly string[],
  appName: string,
): Promise<OutgoingPackage> {
  const kinds = await Promise.all(paths.map(kindOf));
  const [path = ""] = paths;
  if (!kinds.includes("folder")) {
    return readLooseSounds(nameOf(path), paths, appName);
  }
  if (paths.length > 1) throw new WrongUse("Send one folder, or WAV files; not more at once.");
  return readFolder(resolve(path), appName);
}

async function kindOf(path: string): Promise<"file" | "folder"> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Failure(`${path} can't be found.`, { cause });
  });
  if (found.isDirectory()) return "folder";
  if (!isWav(path)) throw new WrongUse(`${path} is not a WAV file; only WAV files can be sent.`);
  return "file";
}

async function readFolder(folder: string, appName: string): Promise<OutgoingPackage> {
  const names = await readdir(folder);
  if (names.includes("manifest.json")) return readPackageFolder(folder);
  const wavs = names
    .filter((name) => isWav(name) && !name.startsWith("."))
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  if (wavs.length === 0) throw new Failure(`${folder} has neither a manifest.json nor WAV files.`);
  const files = wavs.map((name) => join(folder, name));
  return readLooseSounds(basename(folder), files, appName);
}

/** A folder with a manifest: sent as it is, with size and checksum filled in where they are missing. */
async function readPackageFolder(folder: string): Promise<OutgoingPackage> {
  const manifest = await readManifest(join(folder, "manifest.json"));
  const sounds = new Map<string, Blob>();
  const items: unknown[] = [];
  for (const item of Array.isArray(manifest["items"]) ? manifest["items"] : []) {
    const file: unknown = isJsonObject(item) ? item["file"] : undefined;
    // What is no plain name might lead out of the folder; the relay refuses it in words.
    if (!isJsonObject(item) || typeof file !== "string" || !isFileName(file)) {
      items.push(item);
      continue;
    }
    const { sound, bytes, sha256 } = await measureSound(await realPathInside(folder, file));
    sounds.set(file, sound);
    items.push({ bytes, sha256, ...item });
  }
  return { manifest: Array.isArray(manifest["items"]) ? { ...manifest, items } : manifest, sounds };
}

/** A link may lie in a folder that came from elsewhere; what it leads to is not sent. */
async function realPathInside(folder: string, file: string): Promise<string> {
  const path = await realpath(join(folder, file)).catch((cause: unknown) => {
    throw new Failure(`${file} is in manifest.json and not in ${folder}.`, { cause });
  });
  if (path.startsWith((await realpath(folder)) + sep)) return path;
  throw new Failure(`${join(folder, file)} leads out of its folder.`);
}

async function readManifest(path: string): Promise<JsonObject> {
  const text = await readFile(path, "utf8");
  let manifest: unknown;
  try {
    manifest = JSON.parse(text.replace(/^\u{FEFF}/u, ""));
  } catch (cause) {
    throw new Failure(`${path} is not valid JSON.`, { cause });
  }
  if (!isJsonObject(manifest)) throw new Failure(`${path} must hold a JSON object.`);
  return manifest;
}

/** Loose files become one-shots named after their files. */
async function readLooseSounds(
  title: string,
  paths: readonly string[],
  appName: string,
): Promise<OutgoingPackage> {
  const sounds = new Map<string, Blob>();
  const items: unknown[] = [];
  for (const [index, path] of paths.entries()) {
    const { sound, bytes, sha256 } = await measureSound(path);
    const file = fileNameFor(path, index, sounds);
    sounds.set(file, sound);
    items.push({ file, bytes, sha256, name: nameOf(path), kind: "oneshot" });
  }
  return { manifest: { schema: SCHEMA, title, source: { app: appName }, items }, sounds };
}

/** The file's own name where the format takes it and no other sound has it, else a number's. */
function fileNameFor(path: string, index: number, taken: ReadonlyMap<string, Blob>): string {
  const own = basename(path);
  if (isFileName(own) && !taken.has(own)) return own;
  let numbered = `sound-${index + 1}.wav`;
  while (taken.has(numbered)) numbered = `again-${numbered}`;
  return numbered;
}

function nameOf(path: string): string {
  return basename(path, extname(path));
}

function isWav(path: string): boolean {
  return /\.wav$/i.test(path);
}
