import { tryEach } from "../disk/try-each.ts";
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

const PACKAGES_AT_ONCE = 8;

/**
 * Deletes what is stored of the keys: finished, unfinished, put aside, or a multipart upload. Tries all of them.
 * @throws the first failure
 */
export async function deleteSounds(bucket: S3Bucket, keys: readonly string[]): Promise<void> {
  const errors: unknown[] = [];
  // In this order a sound that is being finished is met: its writer looks for its claim after it made the object.
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
 * Deletes what belongs to these keys beside their finished sounds, such as the claim of a writer that was killed. Tries
 * all of them.
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

/** Removes the objects that are found, also if some can't be looked for. @throws the first failure */
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

/** The objects of unfinished sounds of a package; their multipart uploads have ended then. */
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

/** The objects of quarantined sounds of a package. */
async function findAside(
  bucket: S3Bucket,
  packageId: string,
  keys: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found = await findObjects(bucket, `${QUARANTINE}${packageId}/`, parseQuarantined, keys);
  return found.map(({ name }) => name);
}

/** The objects below a prefix that belong to these keys. */
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
