import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { flushFolderSync } from "../../program/flush-folder.ts";
import { soundPath } from "../storage/disk/sound-files.ts";
import { eachUntilOneFails } from "../storage/disk/try-each.ts";
import { codeOf } from "../storage/error-codes.ts";
import { listNamedSounds, type NamedSound } from "../storage/records/named-sounds.ts";
import { StatementRunner } from "../storage/sqlite/statement-runner.ts";
import { type BackupFile, copyDurably } from "./backup-files.ts";

/** Number of packages whose manifests are in memory at once. */
const PACKAGES_AT_ONCE = 500;

/** Lists the sounds that a database names. */
function* namedSounds(database: DatabaseSync): Generator<NamedSound> {
  const runner = new StatementRunner(database);
  for (let after: string | null | undefined; after !== null;) {
    const page = runner.run(listNamedSounds({ after, limit: PACKAGES_AT_ONCE }));
    yield* page.sounds;
    after = page.next;
  }
}

interface CopyProgress {
  readonly doneSounds: number;
  readonly allSounds: number;
  readonly doneBytes: number;
}

export interface CopyOptions {
  /** Makes hard links instead of copies. Works only within one file system. */
  readonly isLinked?: boolean;
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
}

export interface CopiedSounds {
  readonly files: readonly BackupFile[];
  /** Keys of sounds whose bytes are gone. */
  readonly lost: readonly string[];
  /** Keys of sounds that differ from their announcement. */
  readonly damaged: readonly string[];
}

/**
 * Copies or links the sounds that a database names, from one folder of sounds to another, durably.
 * @throws the first failure
 */
export async function copySounds(
  database: DatabaseSync,
  options: CopyOptions & { readonly from: string; readonly to: string },
): Promise<CopiedSounds> {
  const { from, to, isLinked = false, onProgress, signal } = options;
  const sounds = [...namedSounds(database)];
  const copied = { files: [] as BackupFile[], lost: [] as string[], damaged: [] as string[] };
  let doneBytes = 0;
  let doneSounds = 0;
  const copyOne = async ({ key, sha256 }: NamedSound): Promise<void> => {
    signal?.throwIfAborted();
    const { finished, folder } = soundPath(to, key);
    if (!existsSync(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const digest = await copyDurably(soundPath(from, key).finished, finished, { isLinked });
      copied.files.push({ path: `sounds/${key}`, ...digest });
      if (digest.sha256 !== sha256) copied.damaged.push(key);
      doneBytes += digest.bytes;
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      copied.lost.push(key);
    }
    doneSounds += 1;
    onProgress?.({ doneSounds, allSounds: sounds.length, doneBytes });
  };
  await eachUntilOneFails(sounds, copyOne);
  signal?.throwIfAborted();
  const folders = new Set(sounds.map(({ key }) => soundPath(to, key).folder));
  for (const folder of [...folders, to]) flushFolderSync(folder);
  return copied;
}
