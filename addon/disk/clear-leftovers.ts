import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "./atomic-file.ts";
import { listFiles } from "./list-files.ts";

/** A process writes each of these within milliseconds; an older one was killed, or has lost its turn. */
const UNFINISHED_LIMIT_MS = 60_000;
/** Files that only the owner of the lock writes, on their way to their names. */
const UNFINISHED = /\.(json|jsonl|lock)\.new$|^config\.json\.tmp-\d{10}[a-f0-9]{6}$/;
/** Files of processes that tried to get the lock; they may be at work. */
const LOCK_TRIES = /^importer\.lock\.([\w-]{12}|stale-[a-f0-9]{16}(\.[\w-]{12}|\.new)?)$/;

/**
 * Removes what killed processes left in an importer's data folder: unfinished files and tries to get its lock.
 * The caller holds the lock.
 * @param now milliseconds since 1970, by the clock of the file system
 */
export async function clearLeftovers(dataFolder: string, now: number): Promise<void> {
  const folders = [dataFolder, join(dataFolder, "outbox"), join(dataFolder, "runs")];
  for (const folder of folders) {
    for (const name of await listFiles(folder)) {
      const path = join(folder, name);
      const isTry = folder === dataFolder && LOCK_TRIES.test(name);
      if (isTry ? await isOld(path, now) : UNFINISHED.test(name)) await rm(path, { force: true });
    }
  }
}

/** Returns whether nobody has changed a file or folder for a minute; a missing one counts as old. */
export async function isOld(
  path: string,
  now: number,
  limitMs = UNFINISHED_LIMIT_MS,
): Promise<boolean> {
  try {
    return now - (await lstat(path)).mtimeMs > limitMs;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}
