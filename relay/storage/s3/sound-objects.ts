import { packageOfKey, type QuarantinedSound, type StoredSound } from "../../domain/ports.ts";
import { throwAny, tryEach } from "../disk/try-each.ts";
import {
  isKey,
  parseQuarantined,
  parseUnfinished,
  QUARANTINE,
  quarantineName,
  requireKey,
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

/** Lists the quarantine, or the part of it that belongs to a package. */
export async function* listQuarantine(
  bucket: S3Bucket,
  packageId?: string,
): AsyncGenerator<QuarantinedSound> {
  const prefix = packageId === undefined ? QUARANTINE : `${QUARANTINE}${packageId}/`;
  for await (const { name, bytes } of bucket.list(prefix)) {
    const parsed = parseQuarantined(name);
    if (parsed !== undefined) yield { ...parsed, bytes };
  }
}

/** Finds the quarantined sounds among these keys. @throws {Error} if a key is invalid */
export async function findQuarantined(
  bucket: S3Bucket,
  keys: readonly string[],
): Promise<readonly QuarantinedSound[]> {
  keys.forEach(requireKey);
  const found: QuarantinedSound[] = [];
  for (const [packageId, ofPackage] of Map.groupBy(keys, packageOfKey)) {
    for await (const each of listQuarantine(bucket, packageId)) {
      if (ofPackage.includes(each.key)) found.push(each);
    }
  }
  return found;
}

/**
 * Moves objects. A service can't rename, so it copies within itself, and the first object is deleted then. A crash
 * leaves each sound in one of the two places, or in both. Missing objects are ignored.
 */
export async function move(
  bucket: S3Bucket,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const copied: string[] = [];
  const errors = await tryEach(moves, async ({ from, to }) => {
    if (await bucket.copy(from, to)) copied.push(from);
  });
  const failed = await tryEach([copied], (names) => bucket.remove(names));
  throwAny([...errors, ...failed], "Some sounds could not be moved.");
}

/**
 * Deletes everything that is stored of the keys: finished, unfinished or quarantined sounds, and multipart uploads.
 * Tries all of them.
 * @param beside false deletes finished sounds alone
 * @throws the first failure
 */
export async function deleteSounds(
  bucket: S3Bucket,
  keys: readonly string[],
  { beside = true }: { readonly beside?: boolean } = {},
): Promise<void> {
  const valid = keys.filter(isKey);
  // This order catches a sound that is being finished: its writer looks for its claim after it made the object.
  const steps = [
    ...(beside ? [() => deleteBeside(bucket, valid, { quarantined: true })] : []),
    () => bucket.remove(valid.map(soundName)),
    async () => keys.forEach(requireKey),
  ];
  throwFirst(await tryEach(steps, (step) => step(), 1));
}

/**
 * Deletes the objects of these keys beside their finished sounds, such as the claim of a writer that was killed.
 * Tries all of them.
 * @param quarantined deletes what is in the quarantine, too
 * @throws the first failure
 */
export async function deleteBeside(
  bucket: S3Bucket,
  keys: readonly string[],
  { quarantined }: { readonly quarantined: boolean },
): Promise<void> {
  const names: string[] = [];
  const find = async ([packageId, ofPackage]: [string, string[]]): Promise<void> => {
    names.push(...(await endUnfinished(bucket, packageId, ofPackage)));
    if (!quarantined) return;
    const aside = await findQuarantined(bucket, ofPackage);
    names.push(...aside.map(({ key, since }) => quarantineName(key, since)));
  };
  const errors = await tryEach(Map.groupBy(keys, packageOfKey), find);
  throwFirst([...errors, ...(await tryEach([names], (found) => bucket.remove(found)))]);
}

/** Finds the objects of unfinished sounds of a package, and ends their multipart uploads. */
async function endUnfinished(
  bucket: S3Bucket,
  packageId: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  const names: string[] = [];
  const begun = new Set<string>();
  for await (const { name } of bucket.list(`${UNFINISHED}${packageId}/`)) {
    const key = parseUnfinished(name)?.key;
    if (key === undefined || !keys.includes(key)) continue;
    names.push(name);
    begun.add(soundName(key));
  }
  // Before its claim goes: if this fails, the next try finds it again.
  if (begun.size > 0) await bucket.uploads.abort(`${SOUNDS}${packageId}/`, begun);
  return names;
}

function throwFirst(errors: readonly unknown[]): void {
  if (errors.length > 0) throw errors[0];
}
