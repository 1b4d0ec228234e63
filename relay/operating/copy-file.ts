import { constants } from "node:fs";
import { chmod, copyFile, link, open } from "node:fs/promises";
import { createHash } from "node:crypto";

/** What a file holds. */
export interface FileDigest {
  readonly bytes: number;
  /** Lowercase hex. */
  readonly sha256: string;
}

const PIECE_BYTES = 1024 * 1024;

/**
 * Copies a file, or links it, and flushes it. The copy is read again for its hash.
 * @throws if a file has that name
 */
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
