/** A file that was chosen, dropped or recorded. */
export interface FoundFile {
  readonly file: File;
  /** The folders it was in, such as `Pack/Loops`; null if that is unknown. */
  readonly folderName: string | null;
}

/** Describes a chosen file. Browsers name its folder only if the folder was chosen. */
export function foundFile(file: File): FoundFile {
  const path = file.webkitRelativePath;
  return { file, folderName: path === "" ? null : path.slice(0, path.lastIndexOf("/")) };
}

/** Names of sound files, because folders also hold covers, projects and hidden files. */
const SOUND_FILE =
  /^[^.].*\.(wav|wave|aif|aiff|aifc|flac|mp3|m4a|aac|mp4|m4v|mov|ogg|oga|opus|webm|caf|alac)$/i;
const BY_NAME = new Intl.Collator("en", { numeric: true });

/** Checks whether a file in a folder counts as a sound; a file chosen directly always does. */
export function isSoundFile(name: string): boolean {
  return SOUND_FILE.test(name);
}

/** Sorts files by folder and name, numbers by value. */
export function inOrder(files: readonly FoundFile[]): readonly FoundFile[] {
  return [...files].sort((one, other) => BY_NAME.compare(pathOf(one), pathOf(other)));
}

function pathOf({ file, folderName }: FoundFile): string {
  return folderName === null ? file.name : `${folderName}/${file.name}`;
}
