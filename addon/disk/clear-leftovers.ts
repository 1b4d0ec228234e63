import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listFiles, lstatIfAny } from "./atomic-file.ts";

/** A process writes each of these files within milliseconds: an older one was left by a process that was killed. */
const UNFINISHED_LIMIT_MS = 60_000;
/** Temporary files that only the owner of the lock writes. */
const UNFINISHED = /\.(json|jsonl|lock)\.new$|^config\.json\.tmp-\d{10}[a-f0-9]{6}$/;
/** Files of processes that tried to take the lock; such a process may still be at work. */
const LOCK_TRIES = /^importer\.lock\.([\w-]{12}|stale-[a-f0-9]{16}(\.[\w-]{12}|\.new)?)$/;

/**
 * Removes the leftovers of killed processes in an importer's data folder: unfinished files and attempts to take its lock.
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

/** Checks whether nobody has changed a file or folder for a minute; a missing one counts as old. */
export async function isOld(
  path: string,
  now: number,
  limitMs = UNFINISHED_LIMIT_MS,
): Promise<boolean> {
  const found = await lstatIfAny(path);
  return found === undefined || now - found.mtimeMs > limitMs;
}
