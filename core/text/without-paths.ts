/** An absolute path up to its last slash; a path never starts after a letter, dot or colon. */
const FOLDERS = /(?<![\w.:/\\])(?:[a-z]:|\\)?[\\/](?=[^\s\\/])[^'"“”()\n]*[\\/]/gi;

/**
 * Cuts absolute paths in a sentence to their last segment (rule N2): `Soundferry may not write
 * to /home/ana/Music/Kit.` becomes `Soundferry may not write to Kit.` URLs stay unchanged.
 */
export function withoutPaths(sentence: string): string {
  return sentence.replaceAll(FOLDERS, "");
}
