import { inOrder, isSoundFile } from "./sound-files.ts";

/** The files that were dropped, those inside of folders too. Call it in the event itself. */
export async function readDropped(transfer: DataTransfer): Promise<readonly File[]> {
  // Once the event is over the list is empty.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (entries.every((entry) => entry === null)) return inOrder(plain);
  const found = await Promise.all(entries.map((entry) => filesOf(entry, false)));
  return inOrder(found.flat());
}

async function filesOf(entry: FileSystemEntry | null, isInFolder: boolean): Promise<File[]> {
  if (entry === null) return [];
  if (isFolder(entry)) {
    const found = await Promise.all((await listOf(entry)).map((inside) => filesOf(inside, true)));
    return found.flat();
  }
  if (!isFile(entry) || (isInFolder && !isSoundFile(entry.name))) return [];
  return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
}

/** A folder gives its entries in portions, and an empty one at the end. */
async function listOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
