import type { QuarantinedSound } from "../../domain/ports.ts";
import { throwAny, tryEach } from "../disk/try-each.ts";
import { packageOf, parseQuarantined, QUARANTINE, soundName } from "./object-names.ts";
import type { S3Bucket } from "./s3-bucket.ts";

/** A sound that is put aside, and its object. */
interface FoundAside extends QuarantinedSound {
  readonly name: string;
}

interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * A service can't rename: it copies within itself, and the first object is deleted then. A crash leaves each sound in one
 * of both places, or in both. What isn't there is ignored.
 */
export async function move(bucket: S3Bucket, moves: readonly Move[]): Promise<void> {
  const copied: string[] = [];
  const errors = await tryEach(moves, async ({ from, to }) => {
    if (await bucket.copy(from, to)) copied.push(from);
  });
  const failed: unknown[] = [...errors];
  await bucket.remove(copied).catch((error: unknown) => failed.push(error));
  throwAny(failed, "Some sounds could not be moved.");
}

export async function* listQuarantined(
  bucket: S3Bucket,
  packageId?: string,
): AsyncGenerator<QuarantinedSound> {
  for await (const { key, bytes, since } of list(bucket, packageId)) yield { key, bytes, since };
}

/** Those of these keys that are put aside. @throws {Error} if one is none */
export async function findQuarantined(
  bucket: S3Bucket,
  keys: readonly string[],
): Promise<readonly FoundAside[]> {
  for (const key of keys) soundName(key);
  const wanted = new Set(keys);
  const found: FoundAside[] = [];
  for (const packageId of new Set(keys.map(packageOf))) {
    for await (const each of list(bucket, packageId)) if (wanted.has(each.key)) found.push(each);
  }
  return found;
}

async function* list(bucket: S3Bucket, packageId?: string): AsyncGenerator<FoundAside> {
  const prefix = packageId === undefined ? QUARANTINE : `${QUARANTINE}${packageId}/`;
  for await (const { name, bytes } of bucket.list(prefix)) {
    const parsed = parseQuarantined(name);
    if (parsed !== undefined) yield { ...parsed, bytes, name };
  }
}
