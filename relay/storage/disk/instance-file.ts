import { join } from "node:path";
import { flushFolder, type SoundFiles, unlessMissing } from "./sound-files.ts";

/** A file beside the packages' folders with the id of the instance that owns the sounds (rule Z1). */
export const INSTANCE_FILE = "instance";

const MAX_BYTES = 200;

/** Reads the instance's id. Returns undefined if there is no such file, or if it is empty. */
export async function readInstanceFile(
  files: SoundFiles,
  root: string,
): Promise<string | undefined> {
  const file = await unlessMissing(() => files.open(join(root, INSTANCE_FILE)));
  if (file === undefined) return undefined;
  try {
    const buffer = Buffer.alloc(MAX_BYTES);
    const { bytesRead } = await file.read(buffer, 0, MAX_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead).trim() || undefined;
  } finally {
    await file.close();
  }
}

/** Writes or replaces the instance's id. A crash leaves the old or the new one, whole. */
export async function writeInstanceFile(
  files: SoundFiles,
  root: string,
  instanceId: string,
): Promise<void> {
  const path = join(root, INSTANCE_FILE);
  const part = `${path}.part`;
  await unlessMissing(() => files.unlink(part));
  const file = await files.open(part, "wx", 0o600);
  try {
    await file.writev([Buffer.from(`${instanceId}\n`)], 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await files.rename(part, path);
  await flushFolder(files, root);
}
