import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "../../program/make-folder.ts";
import { holdsSounds } from "../domain/upkeep/bind-stores.ts";
import { DiskSoundStore } from "../storage/disk/disk-sound-store.ts";
import { lockFolder } from "../storage/disk/folder-lock.ts";
import { INSTANCE_FILE } from "../storage/disk/instance-file.ts";
import { unlessMissing } from "../storage/disk/sound-files.ts";
import { throwAny, tryEach } from "../storage/disk/try-each.ts";
import { isDiskFull } from "../storage/error-codes.ts";
import { flushFolderSync } from "../../program/flush-folder.ts";
import { REMOVALS_FILE } from "../storage/removals-log.ts";
import { DATABASE_FILE } from "../storage/sqlite/open-database.ts";
import { type BackupManifest, readManifest, SOUNDS } from "./backup-manifest.ts";
import { copyFiles, digestOf } from "./copy-files.ts";
import { nameOfBackup } from "./backup-folders.ts";
import { mergeRemovals, restoreDatabase, type RestoredDatabase } from "./restore-database.ts";

interface RestoreOptions {
  /** The folder of one backup. */
  readonly backup: string;
  readonly dataFolder: string;
  /** Set if the content of the data folder is moved aside. */
  readonly isReplacing?: boolean;
  /** Set for a copy that runs beside the original. */
  readonly isNewInstance?: boolean;
  /** Another log of removals, such as the one of a lost folder. */
  readonly removalsFile?: string | undefined;
  readonly onProgress?: (progress: RestoreProgress) => void;
}

interface RestoreProgress {
  readonly step: "checked" | "copied";
  readonly doneFiles: number;
  readonly allFiles: number;
}

export interface RestoreResult extends RestoredDatabase {
  readonly manifest: BackupManifest;
  readonly unreadableRemovals: number;
  /** Folder with the earlier content of the data folder; undefined if there was none. */
  readonly aside: string | undefined;
}

/** The folder in the data folder that holds the restored files until all of them are there. */
const PART = "restore.part";

/**
 * Puts a backup into a data folder. Checks all of it first, prepares it beside the present content, and moves the
 * database in last: until then a relay refuses to start on the folder, because it finds sounds without a database.
 * @throws {FolderInUseError} while a relay uses the folder
 * @throws {Error} a sentence that says what is in the way, or what of the backup is damaged
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { backup, removalsFile } = options;
  const dataFolder = resolve(options.dataFolder);
  const manifest = await readManifest(backup);
  if (removalsFile !== undefined && !existsSync(removalsFile)) {
    throw new Error(`There is no file ${removalsFile}.`);
  }
  await checkFiles(backup, manifest, options);
  await makeFolder(dataFolder, { mode: 0o700 });
  using _lock = lockFolder(dataFolder, "Stop it first.");
  const sounds = await DiskSoundStore.open(dataFolder);
  const isUsed = databaseFiles(dataFolder).length > 0 || (await holdsSounds(sounds));
  if (isUsed && options.isReplacing !== true) {
    throw new Error(
      `${dataFolder} already has a database or sounds. Restore into another folder, or add --replace: ` +
        "it moves what is there aside and deletes nothing.",
    );
  }
  requireOneDisk(dataFolder);
  const part = join(dataFolder, PART);
  await rm(part, { recursive: true, force: true });
  try {
    await copyAll(manifest, part, options);
    const logs = [backup, dataFolder].map((folder) => join(folder, REMOVALS_FILE));
    if (removalsFile !== undefined) logs.push(removalsFile);
    const { removals, unreadable } = mergeRemovals(logs);
    const isNewInstance = options.isNewInstance === true;
    const restored = await restoreDatabase(part, { removals, isNewInstance });
    // From here on, a start without the right database is refused.
    await sounds.keepInstance(restored.instanceId);
    const aside = isUsed ? await setAside(dataFolder) : undefined;
    await moveIn(part, dataFolder);
    return { ...restored, manifest, unreadableRemovals: unreadable, aside };
  } catch (error) {
    if (isDiskFull(error)) {
      const sentence = `There is no space left in ${dataFolder}. Free some space and restore again.`;
      throw new Error(sentence, { cause: error });
    }
    throw error;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/**
 * Checks that the sounds can be moved in, because they are not copied.
 * @throws {Error} a sentence if their folder is on another disk
 */
function requireOneDisk(dataFolder: string): void {
  const sounds = join(dataFolder, SOUNDS);
  if (statSync(sounds).dev === statSync(dataFolder).dev) return;
  throw new Error(
    `${sounds} is on another disk than the rest of the data folder, so restoring can't move sounds there. Restore ` +
      "into a folder on one disk, and then copy its sounds to that disk. Nothing was changed.",
  );
}

/** Checks every file of a backup. @throws {Error} a sentence that names a damaged file, and says how many there are */
async function checkFiles(
  backup: string,
  { files }: BackupManifest,
  { onProgress }: RestoreOptions,
): Promise<void> {
  const damaged: string[] = [];
  let doneFiles = 0;
  const errors = await tryEach(files, async ({ path, bytes, sha256 }) => {
    const found = await unlessMissing(() => digestOf(join(backup, path)));
    if (found?.bytes !== bytes || found.sha256 !== sha256) damaged.push(path);
    doneFiles += 1;
    onProgress?.({ step: "checked", doneFiles, allFiles: files.length });
  });
  throwAny(errors, "The backup can't be read.");
  const [first] = damaged.toSorted();
  if (first === undefined) return;
  throw new Error(
    `The backup is damaged: ${damaged.length} of its ${files.length} files are missing or not what was ` +
      `backed up, such as ${first}. Nothing was changed. Use another backup.`,
  );
}

/** Copies the files of a backup, except the log of removals, which is written again. */
async function copyAll(
  { files }: BackupManifest,
  part: string,
  { backup, onProgress }: RestoreOptions,
): Promise<void> {
  await mkdir(join(part, SOUNDS), { recursive: true, mode: 0o700 });
  const copied = files.filter(({ path }) => path !== REMOVALS_FILE);
  const { lost, damaged } = await copyFiles(copied, {
    from: backup,
    to: part,
    onProgress: ({ doneFiles }) =>
      onProgress?.({ step: "copied", doneFiles, allFiles: files.length }),
  });
  const [first] = [...lost, ...damaged];
  if (first !== undefined) throw new Error(`The copy of ${first} differs. Try again.`);
}

/** Lists the database's files, with those beside it: a WAL would damage another database. */
function databaseFiles(dataFolder: string): readonly string[] {
  const names = ["", "-journal", "-shm", "-wal"].map((suffix) => DATABASE_FILE + suffix);
  return names.filter((name) => existsSync(join(dataFolder, name)));
}

/**
 * Moves database and sounds, with the quarantine, of a data folder to `before-restore-<time>` in it. The log of
 * removals and the instance of the sounds stay: together with the missing database, the instance keeps a relay from
 * starting.
 * @returns that folder
 */
async function setAside(dataFolder: string): Promise<string> {
  const aside = join(dataFolder, `before-restore-${nameOfBackup(Date.now())}`);
  await mkdir(join(aside, SOUNDS), { recursive: true, mode: 0o700 });
  flushFolderSync(dataFolder);
  await moveNames(databaseFiles(dataFolder), dataFolder, aside);
  await movePackages(dataFolder, aside);
  return aside;
}

/** Moves the prepared files in, durably: sounds, log, and the database last. */
async function moveIn(part: string, dataFolder: string): Promise<void> {
  await movePackages(part, dataFolder);
  const log = [REMOVALS_FILE].filter((name) => existsSync(join(part, name)));
  await moveNames(log, part, dataFolder);
  await moveNames([DATABASE_FILE], part, dataFolder);
}

async function movePackages(from: string, to: string): Promise<void> {
  const names = (await readdir(join(from, SOUNDS))).filter((name) => name !== INSTANCE_FILE);
  await moveNames(names, join(from, SOUNDS), join(to, SOUNDS));
}

/** Moves files or folders from one folder to another, durably. */
async function moveNames(names: readonly string[], from: string, to: string): Promise<void> {
  for (const name of names) await rename(join(from, name), join(to, name));
  flushFolderSync(to);
  flushFolderSync(from);
}
