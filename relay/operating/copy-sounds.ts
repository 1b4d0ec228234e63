import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { codeOf } from "../storage/error-code.ts";
import { soundPath } from "../storage/disk/sound-path.ts";
import { flushFolderNow } from "../storage/flush-folder.ts";
import { eachUntilOneFails } from "../storage/disk/try-each.ts";
import { type NamedSound, namedSounds } from "../storage/sqlite/named-sounds.ts";
import type { BackupFile } from "./backup-manifest.ts";
import { copyDurably } from "./copy-file.ts";

export interface CopyProgress {
  readonly doneSounds: number;
  readonly allSounds: number;
  readonly doneBytes: number;
}

export interface CopiedSounds {
  readonly files: readonly BackupFile[];
  /** Keys of sounds whose bytes are gone. */
  readonly lost: readonly string[];
  /** Keys of sounds that are not what was announced. */
  readonly damaged: readonly string[];
}

/**
 * Copies or links the sounds that a database names, from one folder of sounds to another, durably.
 * @throws the first failure
 */
export async function copySounds(
  database: DatabaseSync,
  {
    from,
    to,
    isLinked = false,
    onProgress,
    signal,
  }: {
    readonly from: string;
    readonly to: string;
    readonly isLinked?: boolean;
    readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<CopiedSounds> {
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
  const folders = new Set(sounds.map(({ key }) => dirname(soundPath(to, key).finished)));
  for (const folder of [...folders, to]) flushFolderNow(folder);
  return copied;
}
