/** A file that was chosen, dropped or recorded. */
export interface FoundFile {
  readonly file: File;
  /** The folders it was in, such as `Pack/Loops`; null if that is unknown. */
  readonly folderName: string | null;
}

/** A chosen file: a browser says which folder it was in only if the folder was chosen. */
export function foundFile(file: File): FoundFile {
  const path = file.webkitRelativePath;
  return { file, folderName: path === "" ? null : path.slice(0, path.lastIndexOf("/")) };
}
