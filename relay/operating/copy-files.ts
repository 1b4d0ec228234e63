import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { chmod, copyFile, link, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFolderSync } from "../../program/flush-folder.ts";
import { unlessMissing } from "../storage/disk/sound-files.ts";
import { eachUntilOneFails } from "../storage/disk/try-each.ts";

/** Size and SHA-256 of a file. */
export interface FileDigest {
  readonly bytes: number;
  /** SHA-256 in lowercase hex. */
  readonly sha256: string;
}

/** A file in a folder. */
export interface CopiedFile extends FileDigest {
  /** Path from the folder, with `/`. */
  readonly path: string;
}

export interface CopyOptions {
  /** Makes hard links instead of copies. Works only within one file system. */
  readonly isLinked?: boolean;
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
  readonly signal?: AbortSignal;
}

interface CopyProgress {
  readonly doneFiles: number;
  readonly allFiles: number;
  readonly doneBytes: number;
}

export interface CopiedFiles {
  readonly files: readonly CopiedFile[];
  /** Paths of files that are gone. */
  readonly lost: readonly string[];
  /** Paths of files that have another SHA-256 than they should. */
  readonly damaged: readonly string[];
}

/**
 * Copies or links files from one folder to another, a few at once, durably. Makes the folders that they are in.
 * @throws the first failure
 */
export async function copyFiles(
  files: readonly Pick<CopiedFile, "path" | "sha256">[],
  options: CopyOptions & { readonly from: string; readonly to: string },
): Promise<CopiedFiles> {
  const { from, to, isLinked = false, onProgress, signal } = options;
  const folders = new Set([to, ...files.map(({ path }) => dirname(join(to, path)))]);
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  const copied = { files: [] as CopiedFile[], lost: [] as string[], damaged: [] as string[] };
  let [doneFiles, doneBytes] = [0, 0];
  await eachUntilOneFails(files, async ({ path, sha256 }) => {
    signal?.throwIfAborted();
    const [source, target] = [join(from, path), join(to, path)];
    const digest = await unlessMissing(() => copyDurably(source, target, { isLinked }));
    if (digest === undefined) copied.lost.push(path);
    else copied.files.push({ path, ...digest });
    if (digest !== undefined && digest.sha256 !== sha256) copied.damaged.push(path);
    doneFiles += 1;
    doneBytes += digest?.bytes ?? 0;
    onProgress?.({ doneFiles, allFiles: files.length, doneBytes });
  });
  signal?.throwIfAborted();
  for (const folder of folders) flushFolderSync(folder);
  return copied;
}

/** Copies a file, or links it, and flushes it. The copy is read again for its hash. @throws if a file has that name */
export async function copyDurably(
  from: string,
  to: string,
  { isLinked = false } = {},
): Promise<FileDigest> {
  if (isLinked) {
    await link(from, to);
  } else {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await chmod(to, 0o600);
  }
  return digestOf(to, { isFlushed: true });
}

const PIECE_BYTES = 1024 * 1024;

/** Reads a file for its size and SHA-256. */
export async function digestOf(path: string, { isFlushed = false } = {}): Promise<FileDigest> {
  // A file must be open for writing to be flushed everywhere.
  await using file = await open(path, isFlushed ? "r+" : "r");
  if (isFlushed) await file.sync();
  const hash = createHash("sha256");
  const piece = new Uint8Array(PIECE_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(piece.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}
