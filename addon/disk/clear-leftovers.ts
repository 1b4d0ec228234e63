import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listFiles, lstatIfAny } from "./atomic-file.ts";

/** A process writes each of these files within milliseconds: an older one was left by a process that was killed. */
const UNFINISHED_LIMIT_MS = 60_000;
/** Temporary files that only the owner of the lock writes. */
const UNFINISHED = /\.(json|jsonl|lock)\.new$|^config\.json\.tmp-\d{10}[a-f0-9]{6}$/;

/** Removes the unfinished files of killed processes in an importer's data folder. The caller holds its lock. */
export async function clearLeftovers(dataFolder: string): Promise<void> {
  const folders = [dataFolder, join(dataFolder, "outbox"), join(dataFolder, "runs")];
  for (const folder of folders) {
    for (const name of await listFiles(folder)) {
      if (UNFINISHED.test(name)) await rm(join(folder, name), { force: true });
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
