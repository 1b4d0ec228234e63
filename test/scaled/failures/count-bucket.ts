import {
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Client } from "pg";
import { SOUNDS, UNFINISHED } from "../../../relay/storage/s3/object-names.ts";
import type { Cluster } from "../../../scaled/cluster.ts";

/** What a bucket holds, but for the quarantine. */
export interface BucketCounts {
  /** Finished sounds, but for those that are on record as uploads that were cut off. */
  readonly sounds: number;
  /** Parts of sounds and multipart uploads that are on no record: nothing would ever delete them. */
  readonly strangers: readonly string[];
  /** Keys of sounds that came in one call and are not over yet. */
  readonly pending: number;
}

/** Lists the bucket, and compares it with the keys that the database has on record (rule J2). */
export async function countBucket(cluster: Cluster): Promise<BucketCounts> {
  const client = cluster.engines.swift.client();
  try {
    const finished = await listNames(client, cluster.bucket, SOUNDS);
    const unfinished = await listNames(client, cluster.bucket, UNFINISHED);
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: cluster.bucket }),
    );
    const uploads = Uploads.map(({ Key = "" }) => keyIn(Key, SOUNDS));
    // Afterwards: what is not on record now was on none when it was listed, or has been deleted.
    const { recorded, pending } = await recordedKeys(cluster.databaseUrl);
    const strange = unfinished.filter((name) => !recorded.has(keyIn(name, UNFINISHED)));
    const there = await Promise.all(strange.map((name) => isThere(client, cluster.bucket, name)));
    return {
      sounds: finished.filter((name) => !recorded.has(keyIn(name, SOUNDS))).length,
      strangers: [
        ...strange.filter((_, index) => there[index]),
        ...uploads.filter((key) => !recorded.has(key)),
      ],
      pending,
    };
  } finally {
    client.destroy();
  }
}

async function listNames(client: S3Client, Bucket: string, prefix: string): Promise<string[]> {
  const names: string[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: token }),
    );
    names.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return names;
}

/** A Swift that was ended between an object and its list shows what is gone, until it is repaired. */
async function isThere(client: S3Client, Bucket: string, Key: string): Promise<boolean> {
  try {
    await client.send(new HeadObjectCommand({ Bucket, Key }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "NotFound") return false;
    throw error;
  }
}

/** `<package>/<random>`, without what comes before and after it. */
function keyIn(name: string, prefix: string): string {
  return name.slice(prefix.length).split("/").slice(0, 2).join("/");
}

async function recordedKeys(
  url: string,
): Promise<{ readonly recorded: ReadonlySet<string>; readonly pending: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; is_whole: boolean }>(
      `SELECT key, state = 'pending' AND partials.file IS NULL AS is_whole
       FROM sound_keys LEFT JOIN partials USING (key)`,
    );
    return {
      recorded: new Set(rows.map(({ key }) => key)),
      pending: rows.filter((row) => row.is_whole).length,
    };
  } finally {
    await client.end();
  }
}
