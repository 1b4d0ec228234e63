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
  const byPackage = Map.groupBy(keys.filter(isKey), packageOf);
  const names: string[] = [];
  const errors = [
    ...(await tryEach(
      byPackage,
      async ([packageId, ofPackage]) => {
        names.push(...(await findUnfinished(bucket, packageId, new Set(ofPackage))));
      },
      PACKAGES_AT_ONCE,
    )),
  ];
  // In this order a sound that is being finished is met: its writer looks for its claim after it made the object.
  await bucket.remove(names).catch((error: unknown) => errors.push(error));
  const sounds = keys.filter(isKey).map(soundName);
  await bucket.remove(sounds).catch((error: unknown) => errors.push(error));
  const broken = keys.find((key) => !isKey(key));
  if (broken !== undefined) errors.push(new Error(`Not a key of a sound: ${broken}`));
  if (errors.length > 0) throw errors[0];
}

/** The objects of unfinished and quarantined sounds of a package; their multipart uploads have ended then. */
async function findUnfinished(
  bucket: S3Bucket,
  packageId: string,
  keys: ReadonlySet<string>,
): Promise<readonly string[]> {
  const names: string[] = [];
  const begun = new Set<string>();
  for await (const { name } of bucket.list(`${UNFINISHED}${packageId}/`)) {
    const key = parseUnfinished(name)?.key;
    if (key === undefined || !keys.has(key)) continue;
    names.push(name);
    begun.add(soundName(key));
  }
  for await (const { name } of bucket.list(`${QUARANTINE}${packageId}/`)) {
    const key = parseQuarantined(name)?.key;
    if (key !== undefined && keys.has(key)) names.push(name);
  }
  // Before its claim goes: if this fails, the next try finds it again.
  if (begun.size > 0) await bucket.uploads.abortUploads(`${SOUNDS}${packageId}/`, begun);
  return names;
}
