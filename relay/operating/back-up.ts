import { existsSync, realpathSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { VERSION } from "../../core/version.ts";
import { makeFolder } from "../../program/make-folder.ts";
import { all } from "../domain/upkeep/batches.ts";
import { DiskSoundStore } from "../storage/disk/disk-sound-store.ts";
import { lockFolder, lockOrRefuse } from "../storage/disk/folder-lock.ts";
import { unlessMissing } from "../storage/disk/sound-files.ts";
import { soundPath } from "../storage/disk/sound-path.ts";
import { codeOf, isDiskFull, isSqliteError } from "../storage/error-codes.ts";
import { flushFolderSync } from "../../program/flush-folder.ts";
import { REMOVALS_FILE } from "../storage/removals-log.ts";
import { hasSound } from "../storage/records/named-sounds.ts";
import { readStored } from "../storage/sqlite/find-database.ts";
import { schemaAge } from "../storage/sqlite/migrations.ts";
import { DATABASE_FILE } from "../storage/sqlite/open-database.ts";
import { StatementRunner } from "../storage/sqlite/statement-runner.ts";
import { finishBackup, keepNewest, startBackup } from "./backup-folders.ts";
import { SOUNDS, writeManifest } from "./backup-manifest.ts";
import { copyDurably, copyFiles, type CopyOptions, digestOf } from "./copy-files.ts";
import { copyDatabase, openReadOnly } from "./folder-database.ts";
import { DeletionHold } from "./hold-deletions.ts";
import { namedSounds } from "./named-sounds.ts";

export interface BackupOptions extends CopyOptions {
  readonly dataFolder: string;
  /** The folder that gets a folder for each backup. */
  readonly target: string;
  /** Number of backups that stay in the target: all unless given. */
  readonly keep?: number | undefined;
}

export interface BackupResult extends Filled {
  readonly folder: string;
  /** Folders of older backups that were deleted. */
  readonly deleted: readonly string[];
}

/** The content of a new backup. */
interface Filled {
  readonly sounds: number;
  readonly bytes: number;
  /** Keys of sounds whose bytes are gone. */
  readonly lost: readonly string[];
  /** Keys of sounds that differ from their announcement. */
  readonly damaged: readonly string[];
}

/**
 * Copies records and sounds of one moment, even while a relay uses them (rule Z10). A backup gets its name only when
 * it is whole and durable.
 * @throws {Error} a sentence; earlier backups are untouched then
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const dataFolder = resolve(options.dataFolder);
  const target = resolve(options.target);
  using hold = holdDeletions(dataFolder);
  if (isWithin(target, dataFolder)) {
    throw new Error(
      `A backup doesn't belong into the relay's own folder. Choose a place outside ${dataFolder}.`,
    );
  }
  await makeFolder(target, { mode: 0o700 });
  using _lock = lockOrRefuse(
    join(target, "backup.lock"),
    `Another backup to ${target} is running.`,
  );
  const part = await startBackup(target);
  let made: Filled & { readonly folder: string };
  try {
    const filled = await fillUntilItFits(part, { ...options, dataFolder });
    hold.assertHeld();
    made = { ...filled, folder: await finishBackup(part) };
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    const sentence = sentenceFor(error, target);
    throw sentence === undefined ? error : new Error(sentence, { cause: error });
  }
  const deleted = options.keep === undefined ? [] : await keepNewest(made.folder, options.keep);
  return { ...made, deleted };
}

type Filling = CopyOptions & Pick<BackupOptions, "dataFolder">;

/**
 * Fills a backup. A deletion that had begun before the hold may end after the copy of the database: the copy then
 * names a sound that is gone, and that the database no longer names. A newer copy fits.
 */
async function fillUntilItFits(part: string, options: Filling): Promise<Filled> {
  for (;;) {
    const filled = await fill(part, options);
    using database = openReadOnly(options.dataFolder);
    const runner = new StatementRunner(database);
    if (filled.lost.every((key) => runner.run(hasSound(key)))) return filled;
    await rm(part, { recursive: true });
    await mkdir(part, { mode: 0o700 });
  }
}

/** Returns advice to an operator; undefined if the error has it. */
function sentenceFor(error: unknown, target: string): string | undefined {
  const untouched = "Nothing of this backup was kept; earlier ones are untouched.";
  if (isDiskFull(error) || isSqliteError(error, "full")) {
    return `There is no space left in ${target}. ${untouched}`;
  }
  const isLink = error instanceof Error && "syscall" in error && error.syscall === "link";
  if (!isLink || codeOf(error) === "ENOENT") return undefined;
  return `The sounds can't be linked into ${target}: it is on another disk, or on one without links. Leave out --link. ${untouched}`;
}

/** Holds deletions. @throws {Error} a sentence if there is no database */
function holdDeletions(dataFolder: string): Disposable & Pick<DeletionHold, "assertHeld"> {
  using database = openReadOnly(dataFolder);
  if (schemaAge(database) === "current") return new DeletionHold(dataFolder);
  // A hold would update the database, which an older relay may be using. Nothing is deleted while no relay runs.
  return Object.assign(lockFolder(dataFolder, "Stop it first."), { assertHeld: () => {} });
}

async function fill(part: string, { dataFolder, ...options }: Filling): Promise<Filled> {
  using database = await copyDatabase(dataFolder, part);
  const instanceId = readInstance(database);
  // Removals after the copy may be in the log already, which is right.
  const log = await unlessMissing(() =>
    copyDurably(join(dataFolder, REMOVALS_FILE), join(part, REMOVALS_FILE)),
  );
  const copies = await DiskSoundStore.open(part);
  if (instanceId !== null) await copies.keepInstance(instanceId);
  const [from, to] = [join(dataFolder, SOUNDS), join(part, SOUNDS)];
  const sounds = (await all(namedSounds((work) => new StatementRunner(database).run(work)))).flat();
  // Each key becomes a path, so it must be one.
  const named = sounds.map(({ key, sha256 }) => ({ path: soundPath(to, key).key, sha256 }));
  const { files, lost, damaged } = await copyFiles(named, { ...options, from, to });
  database.close();
  const path = join(part, DATABASE_FILE);
  await chmod(path, 0o600);
  const records = { path: DATABASE_FILE, ...(await digestOf(path, { isFlushed: true })) };
  await writeManifest(part, {
    soundferry: VERSION,
    made_at: new Date().toISOString(),
    instance_id: instanceId,
    files: [
      records,
      ...(log === undefined ? [] : [{ path: REMOVALS_FILE, ...log }]),
      ...files.map((file) => ({ ...file, path: `${SOUNDS}/${file.path}` })),
    ],
    lost,
  });
  flushFolderSync(part);
  const bytes = files.reduce((sum, file) => sum + file.bytes, records.bytes);
  return { sounds: files.length, bytes, lost, damaged };
}

/** Reads the instance of the database, because a hold belongs to the database that it was made for. */
function readInstance(database: DatabaseSync): string | null {
  if (schemaAge(database) !== "current") return null;
  database.exec("DELETE FROM deletion_holds");
  return readStored(database).instance?.instanceId ?? null;
}

/** Checks whether a path is within a folder, even through links. The path may not exist yet; the folder does. */
function isWithin(path: string, folder: string): boolean {
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  const way = relative(realpathSync(folder), realpathSync(existing));
  return !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
