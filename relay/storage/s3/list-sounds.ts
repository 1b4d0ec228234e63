import type { StoredSound } from "../../domain/ports.ts";
import { isKey, parseUnfinished, SOUNDS, UNFINISHED } from "./object-names.ts";
import type { S3Bucket } from "./s3-bucket.ts";

/**
 * Every sound outside the quarantine, once. Of the unfinished ones, which are few, it remembers what it has seen: one that
 * is finished meanwhile may still be listed as unfinished.
 */
export async function* listSounds(
  bucket: S3Bucket,
  beingWritten: ReadonlySet<string>,
): AsyncGenerator<StoredSound> {
  const unfinished = await findUnfinished(bucket, beingWritten);
  for await (const { name, bytes, changedAt } of bucket.list(SOUNDS)) {
    const key = name.slice(SOUNDS.length);
    if (!isKey(key)) continue;
    unfinished.delete(key);
    yield { key, bytes, changedAt, isFinished: true };
  }
  yield* unfinished.values();
}

async function findUnfinished(
  bucket: S3Bucket,
  beingWritten: ReadonlySet<string>,
): Promise<Map<string, StoredSound>> {
  const found = new Map<string, StoredSound>();
  for await (const { name, bytes, changedAt } of bucket.list(UNFINISHED)) {
    const key = parseUnfinished(name)?.key;
    if (key === undefined) continue;
    const before = found.get(key);
    // What this process is writing may have been idle for long, but isn't left over.
    const since = beingWritten.has(key) ? Date.now() : changedAt;
    found.set(key, {
      key,
      bytes: (before?.bytes ?? 0) + bytes,
      changedAt: Math.max(before?.changedAt ?? 0, since),
      isFinished: false,
    });
  }
  return found;
}
