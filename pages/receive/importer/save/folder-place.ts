import { clashKey, folderNameFor } from "../../../../core/text/file-name.ts";
import type { Manifest } from "../../../../core/manifest/manifest.ts";
import {
  type FolderMarker,
  formatMarker,
  MARKER_FILE,
  newMarker,
  parseMarker,
} from "../../../../core/saved-package/folder-marker.ts";
import { MAX_JSON_BYTES } from "../../../../core/limits.ts";

/** The folder for sounds in a picked one that shows other things, too (rule F9). */
const OWN_FOLDER = "Soundferry";

/** A package's folder in the folder that a person picked. */
export interface PackageDirectory {
  readonly directory: FileSystemDirectoryHandle;
  readonly marker: FolderMarker;
}

/**
 * Returns the folder for sounds: the picked one, unless it shows other things than packages; then one of our own in it.
 */
export async function soundsFolderIn(
  picked: FileSystemDirectoryHandle,
): Promise<FileSystemDirectoryHandle> {
  if (clashKey(picked.name) === clashKey(OWN_FOLDER)) return picked;
  const entries = await entriesOf(picked);
  const shown = entries.filter(({ name }) => !name.startsWith("."));
  const isOurs = await Promise.all(
    shown.map(async (entry) => isDirectory(entry) && (await readMarker(entry)) !== undefined),
  );
  if (isOurs.every(Boolean)) return picked;
  return picked.getDirectoryHandle(OWN_FOLDER, { create: true });
}

/** Finds a package's folder by its marker, even renamed, or makes one that is named after the title (rules F1, F2). */
export async function openPackageDirectory(
  sounds: FileSystemDirectoryHandle,
  manifest: Manifest,
): Promise<PackageDirectory> {
  const entries = await entriesOf(sounds);
  for (const entry of entries.filter(isDirectory)) {
    const marker = await readMarker(entry);
    if (marker?.packageId === manifest.package_id) return { directory: entry, marker };
  }
  const taken = new Set(entries.map(({ name }) => clashKey(name)));
  const name = folderNameFor(manifest.title, (candidate) => taken.has(clashKey(candidate)));
  const directory = await sounds.getDirectoryHandle(name, { create: true });
  const marker = newMarker(manifest);
  await writeMarker(directory, marker);
  return { directory, marker };
}

export async function writeMarker(
  directory: FileSystemDirectoryHandle,
  marker: FolderMarker,
): Promise<void> {
  await writeFile(
    await directory.getFileHandle(MARKER_FILE, { create: true }),
    formatMarker(marker),
  );
}

/** Writes a file, which has the old content until all of the new one is there. */
export async function writeFile(file: FileSystemFileHandle, content: string | Blob): Promise<void> {
  const writable = await file.createWritable();
  try {
    await writable.write(content);
  } catch (error) {
    await writable.abort();
    throw error;
  }
  await writable.close();
}

/** Returns the file of a name; undefined where there is none, or a folder. */
export async function fileIfAny(
  directory: FileSystemDirectoryHandle,
  name: string,
): Promise<File | undefined> {
  try {
    return await (await directory.getFileHandle(name)).getFile();
  } catch (error) {
    if (isNamed(error, "NotFoundError", "TypeMismatchError")) return undefined;
    throw error;
  }
}

/** Returns the folder of a name; undefined where there is none, or a file. */
export async function folderIfAny(
  directory: FileSystemDirectoryHandle,
  name: string,
): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await directory.getDirectoryHandle(name);
  } catch (error) {
    if (isNamed(error, "NotFoundError", "TypeMismatchError")) return undefined;
    throw error;
  }
}

export async function entriesOf(
  directory: FileSystemDirectoryHandle,
): Promise<readonly (FileSystemFileHandle | FileSystemDirectoryHandle)[]> {
  const entries = [];
  for await (const entry of directory.values()) entries.push(entry);
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof DOMException && names.includes(error.name);
}

async function readMarker(directory: FileSystemDirectoryHandle): Promise<FolderMarker | undefined> {
  const file = await fileIfAny(directory, MARKER_FILE);
  if (file === undefined || file.size > MAX_JSON_BYTES) return undefined;
  return parseMarker(await file.text());
}

function isDirectory(entry: FileSystemHandle): entry is FileSystemDirectoryHandle {
  return entry.kind === "directory";
}
