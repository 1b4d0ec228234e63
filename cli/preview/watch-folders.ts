import { basename, dirname, resolve } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { watch } from "chokidar";
import { sentenceOf } from "../../core/text/sentence-of.ts";

/** Changes within this time of the first are reported together. */
const BATCH_MS = 100;

export interface FoldersListener {
  /** Called with the absolute paths of what was added, changed or removed; repeatedly while a file is written. */
  readonly onChange: (paths: ReadonlySet<string>) => void;
  /** Called with a sentence if a part can't be watched. */
  readonly onTrouble: (sentence: string) => void;
}

/**
 * Watches folders recursively, except `node_modules` and names that start with a dot. Folders may be created later.
 * Resolves once the watch is running.
 * @param roots absolute, without symbolic links; links inside are not followed
 */
export async function watchFolders(
  roots: readonly string[],
  { onChange, onTrouble }: FoldersListener,
): Promise<AsyncDisposable> {
  const known = new Set(roots);
  const watcher = watch([...roots], {
    followSymlinks: false,
    ignoreInitial: true,
    ignored: (path) => isIgnored(resolve(path), known),
  });
  let changed = new Set<string>();
  let batching: NodeJS.Timeout | undefined;
  const report = (): void => {
    batching = undefined;
    const paths = changed;
    changed = new Set();
    onChange(paths);
  };
  watcher.on("all", (_event, path) => {
    changed.add(resolve(path));
    // Counted from the first change, so that a long write delays nothing.
    batching ??= setTimeout(report, BATCH_MS);
  });
  watcher.on("error", (error) => onTrouble(formatWatchTrouble(error)));
  await new Promise<void>((ready) => void watcher.once("ready", () => ready()));
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(batching);
      await watcher.close();
    },
  };
}

/** Checks whether a path is in an ignored folder below its innermost root. */
function isIgnored(path: string, roots: ReadonlySet<string>): boolean {
  let isHidden = false;
  for (let at = path; !roots.has(at); at = dirname(at)) {
    if (at === dirname(at)) return false;
    isHidden ||= basename(at) === "node_modules" || basename(at).startsWith(".");
  }
  return isHidden;
}

/** Formats a watch's error: what it means for the user, and what to do. */
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
  return `a folder can’t be watched (${sentenceOf(error)}).`;
}
