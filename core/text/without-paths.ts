/** From the first slash of an absolute path to its last; behind a letter, a dot or a colon none begins. */
const FOLDERS = /(?<![\w.:/\\])(?:[a-z]:|\\)?[\\/](?=[^\s\\/])[^'"“”()\n]*[\\/]/gi;

/**
 * A sentence with the absolute paths in it cut to their last part (rule N2): `Soundferry may not write
 * to /home/ana/Music/Kit.` becomes `Soundferry may not write to Kit.` Addresses stay.
 */
export function withoutPaths(sentence: string): string {
  return sentence.replaceAll(FOLDERS, "");
}
