/** The window of a browser that can write into folders (File System Access). */
interface FolderWindow {
  showDirectoryPicker(options: {
    readonly id: string;
    readonly mode: "readwrite";
    readonly startIn: "music";
  }): Promise<FileSystemDirectoryHandle>;
}

/** Lets the person pick a folder, as it must be within a click. Returns null if the person picked none. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `canPickFolder` says that the browser has it
  const opened = window as unknown as FolderWindow;
  try {
    return await opened.showDirectoryPicker({
      id: "soundferry",
      mode: "readwrite",
      startIn: "music",
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
}
