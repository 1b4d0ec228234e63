import { existsSync } from "node:fs";
import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { INSTANCE_FILE } from "../storage/disk/instance-file.ts";
import { flushFolderNow } from "../storage/flush-folder.ts";
import { REMOVALS_FILE } from "../storage/removals-log.ts";
import { DATABASE_FILE } from "../storage/sqlite/open-database.ts";
import { nameOfBackup } from "./backup-folders.ts";

const SOUNDS = "sounds";

/** The database with what SQLite keeps beside it, as far as it is there. A WAL would damage another database. */
export function databaseFiles(dataFolder: string): readonly string[] {
  const names = ["", "-journal", "-shm", "-wal"].map((suffix) => DATABASE_FILE + suffix);
  return names.filter((name) => existsSync(join(dataFolder, name)));
}

/**
 * Moves database and sounds, with the quarantine, of a data folder to `before-restore-<time>` in it. The log of removals and
 * the instance of the sounds stay: together with the missing database, that one keeps a relay from starting.
 * @returns that folder
 */
export async function setAside(dataFolder: string): Promise<string> {
  const aside = join(dataFolder, `before-restore-${nameOfBackup(Date.now())}`);
  await mkdir(join(aside, SOUNDS), { recursive: true, mode: 0o700 });
  flushFolderNow(dataFolder);
  for (const name of databaseFiles(dataFolder)) {
    await rename(join(dataFolder, name), join(aside, name));
  }
  flushFolderNow(aside);
  flushFolderNow(dataFolder);
  await movePackages(dataFolder, aside);
  flushFolderNow(aside);
  flushFolderNow(dataFolder);
  return aside;
}

/** Moves what was prepared into the data folder: sounds, log, and the database last. Durable once it resolves. */
export async function moveIn(part: string, dataFolder: string): Promise<void> {
  for (const packageId of await readdir(join(part, SOUNDS))) {
    flushFolderNow(join(part, SOUNDS, packageId));
  }
  await movePackages(part, dataFolder);
  if (existsSync(join(part, REMOVALS_FILE))) {
    await rename(join(part, REMOVALS_FILE), join(dataFolder, REMOVALS_FILE));
  }
  flushFolderNow(dataFolder);
  await rename(join(part, DATABASE_FILE), join(dataFolder, DATABASE_FILE));
  flushFolderNow(dataFolder);
}

async function movePackages(from: string, to: string): Promise<void> {
  for (const name of await readdir(join(from, SOUNDS))) {
    if (name === INSTANCE_FILE) continue;
    await rename(join(from, SOUNDS, name), join(to, SOUNDS, name));
  }
  flushFolderNow(join(to, SOUNDS));
  flushFolderNow(join(from, SOUNDS));
}
