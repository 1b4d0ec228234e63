/** Folders also hold covers, projects and hidden files. */
const SOUND_FILE = /^[^.].*\.(wav|wave|aif|aiff|flac|mp3|m4a|aac|mp4|ogg|oga|opus|webm|caf|alac)$/i;
const BY_NAME = new Intl.Collator("en", { numeric: true });

/** The part of a browser's `File` used here. */
interface NamedFile {
  readonly name: string;
  /** Empty if it was not chosen with its folder. */
  readonly webkitRelativePath?: string;
}

/** Whether a file in a folder counts as a sound; a file chosen directly always does. */
export function isSoundFile(name: string): boolean {
  return SOUND_FILE.test(name);
}

/** Sorts files by name, numbers by value. */
export function inOrder<Named extends NamedFile>(files: readonly Named[]): readonly Named[] {
  const pathOf = ({ name, webkitRelativePath = "" }: Named): string => webkitRelativePath || name;
  return [...files].sort((one, other) => BY_NAME.compare(pathOf(one), pathOf(other)));
}
