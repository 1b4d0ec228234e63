import { randomUUID } from "node:crypto";
import { rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Returns the folder, or else the existing folder or file nearest above it. */
export async function nearestExisting(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  return exists || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

/** Writes a file into an existing folder and removes it. @throws {Error} of the file system */
export async function tryWriting(folder: string): Promise<void> {
  const probe = join(folder, `.soundferry-${randomUUID()}`);
  try {
    // With a byte: an empty file fits on a full disk.
    await writeFile(probe, " ");
  } finally {
    await rm(probe, { force: true });
  }
}

/** Returns the free space of an existing folder's disk; undefined where the file system doesn't say. */
export async function freeBytesAt(folder: string): Promise<number | undefined> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks === 0 ? undefined : bavail * bsize;
}
