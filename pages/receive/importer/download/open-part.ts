import type { PartPlace } from "./download-messages.ts";
import type { SyncHandle } from "./part-file.ts";

/** The folder in the page's private files that has what is downloaded. */
export const PARTS_FOLDER = "soundferry-receive";

/** Opens a private file for reading and writing, and makes it if it is missing. One Worker can have it open at a time. */
export async function openPart({ folder, name }: PartPlace): Promise<SyncHandle> {
  const root = await navigator.storage.getDirectory();
  const parts = await root.getDirectoryHandle(PARTS_FOLDER, { create: true });
  const ofPackage = await parts.getDirectoryHandle(folder, { create: true });
  const file = await ofPackage.getFileHandle(name, { create: true });
  if (!hasSyncHandle(file)) throw new TypeError("This browser has no private files for Workers.");
  return file.createSyncAccessHandle();
}

/** TypeScript's types of pages lack what only Workers have. */
function hasSyncHandle(
  file: FileSystemFileHandle,
): file is FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncHandle> } {
  return "createSyncAccessHandle" in file;
}
