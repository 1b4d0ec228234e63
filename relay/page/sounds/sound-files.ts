/** Folders hold covers, projects and hidden files beside the sounds. */
const SOUND_FILE = /^[^.].*\.(wav|wave|aif|aiff|flac|mp3|m4a|aac|mp4|ogg|oga|opus|webm|caf|alac)$/i;
const BY_NAME = new Intl.Collator("en", { numeric: true });

/** What is asked of a browser's `File` here. */
interface NamedFile {
  readonly name: string;
  /** Empty where it was not chosen with its folder. */
  readonly webkitRelativePath?: string;
}

/** Whether a file of a folder is meant to be a sound; a file that was chosen by itself always is. */
export function isSoundFile(name: string): boolean {
  return SOUND_FILE.test(name);
}

/** Files in the order of their names, numbers by their value. */
export function inOrder<Named extends NamedFile>(files: readonly Named[]): readonly Named[] {
  const pathOf = ({ name, webkitRelativePath = "" }: Named): string => webkitRelativePath || name;
  return [...files].sort((one, other) => BY_NAME.compare(pathOf(one), pathOf(other)));
}
