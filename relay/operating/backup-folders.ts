import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { flushFolderSync } from "../../program/flush-folder.ts";
import { readManifest } from "./backup-manifest.ts";

/** Suffix of a folder that isn't a whole backup: one that is being made, or that was interrupted. */
const PART = ".part";
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;
const PART_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.part$/;

/** Returns the name of a backup. Names sort by time. */
export function nameOfBackup(time: number): string {
  return new Date(time).toISOString().replaceAll(":", "-");
}

/**
 * Creates the folder in which a backup is made, and removes those of interrupted ones. Its name sorts after all others
 * there, even if the clock was set back.
 */
export async function startBackup(target: string): Promise<string> {
  const names = await readdir(target);
  for (const name of names.filter((each) => PART_NAME.test(each))) {
    await rm(join(target, name), { recursive: true });
  }
  const times = names.filter((name) => NAME.test(name)).map(timeOf);
  const now = Math.max(Date.now(), ...times.map((time) => (Number.isNaN(time) ? 0 : time + 1)));
  const part = join(target, nameOfBackup(now) + PART);
  await mkdir(part, { mode: 0o700 });
  return part;
}

function timeOf(name: string): number {
  return Date.parse(name.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:"));
}

/** Gives a whole backup its name, which is durable when this resolves. @returns its folder */
export async function finishBackup(part: string): Promise<string> {
  const folder = part.slice(0, -PART.length);
  flushFolderSync(part);
  await rename(part, folder);
  flushFolderSync(dirname(folder));
  return folder;
}

/**
 * Deletes the same relay's older backups beyond the newest `count`, and no other folder. Never deletes `made`.
 * Returns the deleted folders.
 * @throws {Error} a sentence that says that `made` is complete
 */
export async function keepNewest(made: string, count: number): Promise<readonly string[]> {
  const removed: string[] = [];
  try {
    const older = (await listBackupsLike(made)).filter((folder) => folder !== made);
    for (const folder of older.slice(Math.max(count - 1, 0))) {
      // Under this name an interrupted deletion is never taken for a backup.
      await rename(folder, folder + PART);
      await rm(folder + PART, { recursive: true });
      removed.push(folder);
    }
    return removed;
  } catch (error) {
    throw new Error(
      `The new backup in ${made} is complete, but older ones can't be deleted: ${sentenceOf(error)}`,
      { cause: error },
    );
  }
}

/** Lists the whole backups of the same relay, newest first. Without an id, nobody can tell whose they are. */
async function listBackupsLike(made: string): Promise<readonly string[]> {
  const target = dirname(made);
  const instanceId = await readInstance(made);
  if (instanceId === undefined) return [];
  const names = (await readdir(target)).filter((name) => NAME.test(name)).toSorted();
  const backups: string[] = [];
  for (const folder of names.toReversed().map((name) => join(target, name))) {
    if ((await readInstance(folder)) === instanceId) backups.push(folder);
  }
  return backups;
}

async function readInstance(folder: string): Promise<string | undefined> {
  try {
    return (await readManifest(folder)).instance_id ?? undefined;
  } catch {
    // Somebody else's folder, or one that can't be judged, is left alone.
    return undefined;
  }
}
