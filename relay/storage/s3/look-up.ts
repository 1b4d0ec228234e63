import { setTimeout as sleep } from "node:timers/promises";
import type { AnnouncedBytes } from "../../domain/ports.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import { isRefused } from "./s3-trouble.ts";

/** Pauses before each look for an object whose call had no certain outcome: the service may be about to show it. */
const PAUSES_MS = [0, 250, 1_000] as const;

/** Returns the metadata of a sound's object. */
export function metadataOf({ sha256 }: AnnouncedBytes): Record<string, string> {
  return { sha256 };
}

/**
 * Makes an object by a call. If the call fails, the object may exist nevertheless, so it is looked up.
 * @throws the call's failure, unless the whole object is there
 */
export async function makeCertain(
  bucket: S3Bucket,
  name: string,
  announced: AnnouncedBytes,
  make: () => Promise<unknown>,
): Promise<void> {
  try {
    await make();
  } catch (error) {
    const pauses = isRefused(error) ? PAUSES_MS.slice(0, 1) : PAUSES_MS;
    if (!(await isThere(bucket, name, announced, pauses))) throw error;
  }
}

async function isThere(
  bucket: S3Bucket,
  name: string,
  announced: AnnouncedBytes,
  pauses: readonly number[],
): Promise<boolean> {
  for (const pause of pauses) {
    await sleep(pause);
    const found = await bucket.head(name).catch(() => undefined);
    if (found?.bytes === announced.bytes && found.metadata["sha256"] === announced.sha256) {
      return true;
    }
  }
  return false;
}
