import { isNamed } from "../save/folder-place.ts";
import type { PartPlace } from "./download-messages.ts";
import { noRoom } from "./downloads.ts";
import { PARTS_FOLDER } from "./open-part.ts";

/** Room that a browser needs beside the sounds themselves. */
const SPARE_BYTES = 16 * 1024 ** 2;

/** The page's private files that have what was downloaded, a folder for each package (rule RC5). */
async function openPartsFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(PARTS_FOLDER, { create: true });
}

/** Returns a downloaded sound; its bytes stay on the disk. */
export async function openPartFile({ folder, name }: PartPlace): Promise<File> {
  const ofPackage = await (await openPartsFolder()).getDirectoryHandle(folder);
  return (await ofPackage.getFileHandle(name)).getFile();
}

/** Lists the ids of the packages of which something was downloaded. */
export async function packagesWithPartFiles(): Promise<readonly string[]> {
  const ids = [];
  for await (const name of (await openPartsFolder()).keys()) ids.push(name);
  return ids;
}

/** Deletes what was downloaded of a package. What another tab has open stays. */
export async function removePartsOf(packageId: string): Promise<void> {
  await removeEntry(await openPartsFolder(), packageId);
}

/** Deletes everything that was downloaded. */
export async function removeEveryPart(): Promise<void> {
  await removeEntry(await navigator.storage.getDirectory(), PARTS_FOLDER);
}

async function removeEntry(directory: FileSystemDirectoryHandle, name: string): Promise<void> {
  try {
    await directory.removeEntry(name, { recursive: true });
  } catch (error) {
    if (!isNamed(error, "NotFoundError", "NoModificationAllowedError")) throw error;
  }
}

/** @throws {Error} with a sentence, when the browser has no room for this many more bytes */
export async function assertRoom(bytes: number): Promise<void> {
  const { quota, usage = 0 } = await navigator.storage.estimate();
  if (quota !== undefined && quota - usage < bytes + SPARE_BYTES) throw noRoom(bytes);
}
