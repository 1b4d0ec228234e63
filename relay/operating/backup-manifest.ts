import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJsonOrThrow } from "../../core/text/parse-json.ts";
import { REMOVALS_FILE } from "../storage/removals-log.ts";
import { DATABASE_FILE } from "../storage/sqlite/open-database.ts";
import type { CopiedFile } from "./copy-files.ts";

/** The folder of sounds, in a backup and in a data folder. */
export const SOUNDS = "sounds";
export const MANIFEST_FILE = "backup.json";
const FORMAT = "soundferry-backup/1";

/** The content of a backup. It is written last, so that a folder with it is whole. */
export interface BackupManifest {
  readonly format: typeof FORMAT;
  readonly soundferry: string;
  /** Time of the backup in ISO 8601, UTC. */
  readonly made_at: string;
  /** Id of the relay's instance; null for a database that had none yet. */
  readonly instance_id: string | null;
  readonly files: readonly CopiedFile[];
  /** Keys of sounds that the database names and that the relay had lost before. */
  readonly lost: readonly string[];
}

export async function writeManifest(
  folder: string,
  manifest: Omit<BackupManifest, "format">,
): Promise<void> {
  await using file = await open(join(folder, MANIFEST_FILE), "wx", 0o600);
  await file.writeFile(`${JSON.stringify({ format: FORMAT, ...manifest }, null, 1)}\n`);
  await file.sync();
}

/** Reads the manifest of a backup. @throws {Error} if the folder isn't a whole backup; the message says so */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST_FILE);
  let manifest: unknown;
  try {
    manifest = parseJsonOrThrow(await readFile(path, "utf8"));
  } catch (error) {
    const sentence = `${folder} is no whole backup: its ${MANIFEST_FILE} is missing or can't be read.`;
    throw new Error(sentence, { cause: error });
  }
  if (!isManifest(manifest)) {
    throw new Error(`${path} is no list of a backup that this version of Soundferry understands.`);
  }
  return manifest;
}

function isManifest(value: unknown): value is BackupManifest {
  if (!isRecord(value)) return false;
  const { format, soundferry, made_at, instance_id, files, lost } = value;
  return (
    format === FORMAT &&
    typeof soundferry === "string" &&
    typeof made_at === "string" &&
    (instance_id === null || typeof instance_id === "string") &&
    Array.isArray(files) &&
    files.every(isFile) &&
    files.some(({ path }) => path === DATABASE_FILE) &&
    Array.isArray(lost) &&
    lost.every((key) => typeof key === "string")
  );
}

/** Checks one file. Paths that lead elsewhere don't belong to a backup. */
function isFile(value: unknown): value is CopiedFile {
  if (!isRecord(value)) return false;
  const { path, bytes, sha256 } = value;
  if (typeof path !== "string" || typeof sha256 !== "string") return false;
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) return false;
  return [DATABASE_FILE, REMOVALS_FILE].includes(path) || /^sounds\/[\w-]+\/[\w-]+$/.test(path);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
