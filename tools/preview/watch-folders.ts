import { basename, dirname, resolve } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { watch } from "chokidar";

/** Changes within so long of the first are told together. */
const GATHER_MS = 100;

export interface FoldersListener {
  /** Told which files and folders came, changed or went; absolute paths. A file that is being written is told again and again. */
  readonly onChange: (paths: ReadonlySet<string>) => void;
  /** Told, in a sentence, that a part can't be watched; the rest is. */
  readonly onTrouble: (sentence: string) => void;
}

/**
 * Watches folders with all that is in them, but `node_modules` and what begins with a dot. A folder that is not there
 * is waited for. Resolves when every later change will be noticed.
 * @param roots absolute, without symbolic links; links in them are not followed
 */
export async function watchFolders(
  roots: readonly string[],
  { onChange, onTrouble }: FoldersListener,
): Promise<AsyncDisposable> {
  const known = new Set(roots);
  const watcher = watch([...roots], {
    followSymlinks: false,
    ignoreInitial: true,
    ignored: (path) => isAside(resolve(path), known),
  });
  let changed = new Set<string>();
  let gathering: NodeJS.Timeout | undefined;
  const tell = (): void => {
    gathering = undefined;
    const paths = changed;
    changed = new Set();
    onChange(paths);
  };
  watcher.on("all", (_event, path) => {
    changed.add(resolve(path));
    // From the first change on: a file that is written for minutes holds up nothing.
    gathering ??= setTimeout(tell, GATHER_MS);
  });
  watcher.on("error", (error) => onTrouble(formatWatchTrouble(error)));
  await new Promise<void>((ready) => void watcher.once("ready", () => ready()));
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(gathering);
      await watcher.close();
    },
  };
}

/** Whether a path beneath its innermost root is in a folder that no package is in. */
function isAside(path: string, roots: ReadonlySet<string>): boolean {
  let isSeen = false;
  for (let at = path; !roots.has(at); at = dirname(at)) {
    if (at === dirname(at)) return false;
    isSeen ||= basename(at) === "node_modules" || basename(at).startsWith(".");
  }
  return isSeen;
}

/** What an error of a watch means for the person who edits, and what to do. */
export function formatWatchTrouble(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return `Reload the page to see every edit: ${formatWhy(code, error)}`;
}

function formatWhy(code: unknown, error: unknown): string {
  if (code === "ENOSPC") {
    return "this computer can't watch more folders. Raise fs.inotify.max_user_watches, or preview fewer folders.";
  }
  if (code === "EMFILE" || code === "ENFILE") {
    return "this computer has too many files and watches open. Close other programs, raise fs.inotify.max_user_instances, or preview fewer folders.";
  }
  return `a folder can’t be watched (${error instanceof Error ? error.message : String(error)}).`;
}
