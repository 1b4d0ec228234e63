import { createHash } from "node:crypto";
import { constants, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import { PROJECT_ENDING } from "../../core/dawproject/dawproject-name.ts";
import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import type { FolderMarker } from "../../core/saved-package/folder-marker.ts";
import { parseSavedSounds, type SavedSound } from "../../core/saved-package/saved-sounds.ts";
import { hasCode, isMissing, lstatIfAny, writeFileAtomically } from "./atomic-file.ts";
import { isOwnName, readMarker, writeMarker } from "./folder-marker.ts";

/** A larger file is none of ours: a manifest has at most 1 MiB, and our DAWproject holds no audio. */
const MAX_WRITTEN_BYTES = 2 * MAX_JSON_BYTES;

/**
 * Writes files about a package into its folder (rule F10). One with the same content isn't written again, and one
 * that a person put there or changed stays. The marker knows the new content before it is there: after a crash in
 * between, the file is still known as ours.
 * @param files by name; later ones are written only after earlier ones
 * @throws {Error} when the disk fails
 */
export async function writeAboutPackage(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> {
  const marker = await readMarker(folder);
  if (marker === undefined) return;
  const written = new Map(marker.written);
  const missing: (readonly [string, string | Uint8Array])[] = [];
  for (const [name, content] of files) {
    const [there, digest] = [await digestOfFile(join(folder, name)), digestOf(content)];
    if (there === undefined) continue;
    if (there !== null && there !== digest && !isListed(marker, name, there)) continue;
    if (there !== digest) missing.push([name, content]);
    written.set(name, [...new Set([...(there === null ? [] : [there]), digest])]);
  }
  if (!isSame(written, marker.written)) await writeMarker(folder, { ...marker, written });
  for (const [name, content] of missing) {
    await writeFileAtomically(join(folder, name), content, 0o644);
  }
}

/** Returns the name of the folder's DAWproject: the one that was written, also after a person renamed the folder. */
export async function projectNameIn(folder: string, named: string): Promise<string> {
  const { written } = (await readMarker(folder)) ?? { written: new Map<string, unknown>() };
  for (const name of written.keys()) {
    const isProject = name.endsWith(PROJECT_ENDING) && isOwnName(name);
    if (isProject && (await lstatIfAny(join(folder, name)))?.isFile() === true) return name;
  }
  return named;
}

/** Deletes the files about a package that are still as the importer wrote them. One that is held open may stay. */
export async function removeAboutPackage(folder: string): Promise<void> {
  const marker = await readMarker(folder);
  if (marker === undefined) return;
  for (const name of writtenNames(marker)) {
    const path = join(folder, name);
    const there = await digestOfFile(path);
    if (typeof there === "string" && isListed(marker, name, there)) {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/** Lists the names of the files about a package; those in a manipulated marker lead to no other place. */
export function writtenNames({ written }: FolderMarker): readonly string[] {
  return [...written.keys()].filter((name) => isOwnName(name) && isAbout(name));
}

function isAbout(name: string): boolean {
  return name === MANIFEST_FILE || name.endsWith(PROJECT_ENDING);
}

/** Reads the sounds of a folder's manifest by id; none without a readable one. */
export async function readSavedSounds(folder: string): Promise<ReadonlyMap<string, SavedSound>> {
  const bytes = await readPlainFile(join(folder, MANIFEST_FILE), MAX_JSON_BYTES);
  return parseSavedSounds(typeof bytes === "object" ? (bytes?.toString("utf8") ?? "") : "");
}

function isListed({ written }: FolderMarker, name: string, digest: string): boolean {
  return written.get(name)?.includes(digest) === true;
}

function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns a file's digest; null where there is none, undefined for anything that can't be ours. */
async function digestOfFile(path: string): Promise<string | null | undefined> {
  const bytes = await readPlainFile(path, MAX_WRITTEN_BYTES);
  return typeof bytes === "object" && bytes !== null ? digestOf(bytes) : bytes;
}

/** Reads a file; null where there is none, undefined for a link, a folder, or a file that is too large. */
async function readPlainFile(path: string, maxBytes: number): Promise<Buffer | null | undefined> {
  const found = await lstatIfAny(path);
  if (found === undefined) return null;
  if (!found.isFile() || found.size > maxBytes) return undefined;
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return await file.readFile();
  } catch (error) {
    if (isMissing(error)) return null;
    if (hasCode(error, "ELOOP", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}

function isSame(
  one: ReadonlyMap<string, readonly string[]>,
  other: ReadonlyMap<string, readonly string[]>,
): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}
