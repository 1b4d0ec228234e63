import { useEffect, useRef, useState } from "preact/hooks";
import { type FoundFile, foundFile, inOrder, isSoundFile } from "./sound-files.ts";

/** Returns whether something is dragged over the page. A drop anywhere on it calls `onDrop`. */
export function useDrops(onDrop: (dropped: Dropped) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const ending = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", act: (event: DragEvent) => void): void =>
      document.addEventListener(name, act, { signal: ending.signal });
    const holdsFiles = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes("Files") === true;
    on("dragover", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    });
    on("dragleave", (event) => {
      if (event.relatedTarget === null) setIsOver(false);
    });
    on("drop", (event) => {
      setIsOver(false);
      if (!holdsFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      void readDropped(event.dataTransfer).then(latest.current);
    });
    return () => ending.abort();
  }, []);
  return isOver;
}

/** The content of a drop. */
interface Dropped {
  readonly files: readonly FoundFile[];
  /** Names of files and folders that the browser could not open. */
  readonly unreadable: readonly string[];
}

/** Reads the dropped files, including those in folders. Must be called synchronously in the event handler. */
async function readDropped(transfer: DataTransfer): Promise<Dropped> {
  // The list is empty once the event is over.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files].map(foundFile);
  if (entries.every((entry) => entry === null)) return { files: inOrder(plain), unreadable: [] };
  const unreadable: string[] = [];
  const filesIn = async (
    entry: FileSystemEntry | null,
    isInFolder: boolean,
  ): Promise<FoundFile[]> => {
    try {
      if (entry === null) return [];
      if (!isFolder(entry)) return await filesOf(entry, isInFolder);
      const inside = await listOf(entry);
      return (await Promise.all(inside.map((found) => filesIn(found, true)))).flat();
    } catch {
      unreadable.push(entry?.name ?? "");
      return [];
    }
  };
  const found = await Promise.all(entries.map((entry) => filesIn(entry, false)));
  return { files: inOrder(found.flat()), unreadable };
}

/** Returns a file, unless it is in a folder and not a sound. */
async function filesOf(entry: FileSystemEntry, isInFolder: boolean): Promise<FoundFile[]> {
  if (!isFile(entry) || (isInFolder && !isSoundFile(entry.name))) return [];
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  // The path is one such as `/Pack/Loops/Amen.wav`.
  const folderName = isInFolder ? entry.fullPath.split("/").slice(1, -1).join("/") : null;
  return [{ file, folderName }];
}

/** Lists a folder, which returns its entries in batches and ends with an empty one. */
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
