import type { QuarantinedSound, StoredSound } from "../../domain/ports.ts";
import { throwAny, tryEach } from "../disk/try-each.ts";
import {
  isKey,
  packageOf,
  parseQuarantined,
  parseUnfinished,
  QUARANTINE,
  soundName,
  SOUNDS,
  UNFINISHED,
} from "./object-names.ts";
import type { S3Bucket } from "./s3-bucket.ts";

/**
 * Lists every sound outside the quarantine once. Remembers the unfinished ones, which are few: one that is finished
 * meanwhile may still be listed as unfinished.
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
    // A sound that this process is writing may have been idle for long, but isn't left over.
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

/** A quarantined sound, and its object. */
interface FoundAside extends QuarantinedSound {
  readonly name: string;
}

interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Moves objects. A service can't rename, so it copies within itself, and the first object is deleted then. A crash
 * leaves each sound in one of the two places, or in both. Missing objects are ignored.
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

/** Finds the quarantined sounds among these keys. @throws {Error} if a key is invalid */
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

const PACKAGES_AT_ONCE = 8;

/**
 * Deletes everything that is stored of the keys: finished, unfinished or quarantined sounds, and multipart uploads.
 * Tries all of them.
 * @throws the first failure
 */
export async function deleteSounds(bucket: S3Bucket, keys: readonly string[]): Promise<void> {
  const errors: unknown[] = [];
  // This order catches a sound that is being finished: its writer looks for its claim after it made the object.
  await removeFound(bucket, keys, [endUnfinished, findAside]).catch((error: unknown) =>
    errors.push(error),
  );
  const sounds = keys.filter(isKey).map(soundName);
  await bucket.remove(sounds).catch((error: unknown) => errors.push(error));
  const broken = keys.find((key) => !isKey(key));
  if (broken !== undefined) errors.push(new Error(`Not a key of a sound: ${broken}`));
  if (errors.length > 0) throw errors[0];
}

/**
 * Deletes the objects of these keys beside their finished sounds, such as the claim of a writer that was killed.
 * Tries all of them.
 * @throws the first failure
 */
export async function deleteUnfinished(bucket: S3Bucket, keys: readonly string[]): Promise<void> {
  await removeFound(bucket, keys, [endUnfinished]);
}

type Find = (
  bucket: S3Bucket,
  packageId: string,
  keys: ReadonlySet<string>,
) => Promise<readonly string[]>;

/** Removes the objects that are found, even if some can't be looked for. @throws the first failure */
async function removeFound(
  bucket: S3Bucket,
  keys: readonly string[],
  finds: readonly Find[],
): Promise<void> {
  const byPackage = Map.groupBy(keys.filter(isKey), packageOf);
  const names: string[] = [];
  const find = async ([packageId, ofPackage]: [string, string[]]): Promise<void> => {
    for (const one of finds) names.push(...(await one(bucket, packageId, new Set(ofPackage))));
  };
  const errors: unknown[] = [...(await tryEach(byPackage, find, PACKAGES_AT_ONCE))];
  await bucket.remove(names).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Finds the objects of unfinished sounds of a package, and ends their multipart uploads. */
async function endUnfinished(
  bucket: S3Bucket,
  packageId: string,
  keys: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found = await findObjects(bucket, `${UNFINISHED}${packageId}/`, parseUnfinished, keys);
  const begun = new Set(found.map(({ key }) => soundName(key)));
  // Before its claim goes: if this fails, the next try finds it again.
  if (begun.size > 0) await bucket.uploads.abortUploads(`${SOUNDS}${packageId}/`, begun);
  return found.map(({ name }) => name);
}

/** Finds the objects of quarantined sounds of a package. */
async function findAside(
  bucket: S3Bucket,
  packageId: string,
  keys: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found = await findObjects(bucket, `${QUARANTINE}${packageId}/`, parseQuarantined, keys);
  return found.map(({ name }) => name);
}

/** Finds the objects below a prefix that belong to these keys. */
async function findObjects(
  bucket: S3Bucket,
  prefix: string,
  parse: (name: string) => { readonly key: string } | undefined,
  keys: ReadonlySet<string>,
): Promise<readonly { readonly name: string; readonly key: string }[]> {
  const found: { readonly name: string; readonly key: string }[] = [];
  for await (const { name } of bucket.list(prefix)) {
    const key = parse(name)?.key;
    if (key !== undefined && keys.has(key)) found.push({ name, key });
  }
  return found;
}
