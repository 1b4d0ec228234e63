import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { flushFolderNow } from "../flush-folder.ts";

const KEPT = 2;
const COPY = /^relay\.sqlite\.before-(\d+)$/;

/**
 * Copies an old database before it is migrated to `version` (rule Z12): to `relay.sqlite.before-<version>`, durable
 * once it returns. The last two copies are kept.
 * @throws {Error} if it can't be copied; the message says what to do
 */
export function copyBeforeMigration(database: DatabaseSync, folder: string, version: number): void {
  const copy = join(folder, `relay.sqlite.before-${version}`);
  const part = `${copy}.part`;
  try {
    rmSync(part, { force: true });
    database.prepare("VACUUM INTO ?").run(part);
    chmodSync(part, 0o600);
    flushFile(part);
    renameSync(part, copy);
    flushFolderNow(folder);
  } catch (error) {
    rmSync(part, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The database must be updated, but it can't be copied to ${copy} first (${reason}). ` +
        "Nothing was changed. Free some space or check the folder's permissions, then start again.",
      { cause: error },
    );
  }
  for (const name of copiesIn(folder).slice(KEPT)) rmSync(join(folder, name));
}

/** Newest first. */
function copiesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => COPY.test(name))
    .toSorted((one, other) => versionOf(other) - versionOf(one));
}

function flushFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function versionOf(copy: string): number {
  return Number(COPY.exec(copy)?.[1]);
}
