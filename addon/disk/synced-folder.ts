/** A folder's name that a program for synchronization gives, wherever it is. Some add a name of an account or a team. */
const OF_A_CLOUD =
  /^(?:OneDrive(?: ?- .+| \(.+\))?|(?:.+ )?Dropbox(?: \(.+\))?|Google ?Drive|iCloud ?Drive)$/i;
/** The folders for clouds in a Mac's `Library`: iCloud's own, and the one of all others. */
const IN_LIBRARY = /^(?:Mobile Documents|CloudStorage)$/i;
/** The first folder on the drive that Google mounts on Windows, by language. */
const ON_GOOGLE_DRIVE = /^(?:My Drive|Meine Ablage|Mi unidad|Mon Drive|マイドライブ)$/i;

/**
 * Checks whether a folder is synchronized with a cloud, which may move its files away or lock them while Live plays them
 * (rule F9). Names decide: no system can be asked.
 * @param path absolute, with links resolved, of macOS, Windows or Linux
 * @param roots folders that the system names as synchronized, such as `%OneDrive%`
 */
export function isSyncedFolder(path: string, roots: readonly string[] = []): boolean {
  const names = namesIn(path);
  return (
    roots.some((root) => startsWith(names, namesIn(root))) ||
    names.some(
      (name, index) =>
        OF_A_CLOUD.test(name) ||
        (IN_LIBRARY.test(name) && /^Library$/i.test(names[index - 1] ?? "")) ||
        (ON_GOOGLE_DRIVE.test(name) && /^[a-z]:$/i.test(names[index - 1] ?? "")),
    )
  );
}

function namesIn(path: string): readonly string[] {
  return path
    .normalize("NFC")
    .split(/[\\/]/)
    .filter((name) => name !== "");
}

/** Compares without letter case, as the systems with such folders do. */
function startsWith(names: readonly string[], root: readonly string[]): boolean {
  const isSame = (name: string, index: number) =>
    name.toLowerCase() === names[index]?.toLowerCase();
  return root.length > 0 && root.every(isSame);
}
