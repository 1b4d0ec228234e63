import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Client } from "pg";
import { SOUNDS, UNFINISHED } from "../../../relay/storage/s3/object-names.ts";
import { uploadedOf } from "../../../relay/storage/rows.ts";
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
    const finished = (await listNames(client, cluster.bucket, SOUNDS)).map((name) =>
      keyIn(name, SOUNDS),
    );
    const unfinished = (await listNames(client, cluster.bucket, UNFINISHED)).map((name) =>
      keyIn(name, UNFINISHED),
    );
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: cluster.bucket }),
    );
    const uploads = Uploads.map(({ Key = "" }) => keyIn(Key, SOUNDS));
    // Afterwards: what is not on record now was on none when it was listed, or has been deleted.
    const { recorded, packed, pending } = await recordedKeys(cluster.databaseUrl);
    return {
      sounds: finished.filter((key) => !recorded.has(key)).length,
      // A claim whose removal failed goes with its sound.
      strangers: [...unfinished, ...uploads].filter(
        (key) => !recorded.has(key) && !packed.has(key),
      ),
      pending,
    };
  } finally {
    client.destroy();
  }
}

/** The names of all objects below a prefix. */
export async function listNames(
  client: S3Client,
  Bucket: string,
  prefix: string,
): Promise<readonly string[]> {
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

/** `<package>/<random>`, without what comes before and after it. */
function keyIn(name: string, prefix: string): string {
  return name.slice(prefix.length).split("/").slice(0, 2).join("/");
}

interface RecordedKeys {
  /** Pending and doomed ones. */
  readonly recorded: ReadonlySet<string>;
  /** Those of packages. */
  readonly packed: ReadonlySet<string>;
  readonly pending: number;
}

async function recordedKeys(url: string): Promise<RecordedKeys> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; is_whole: boolean }>(
      `SELECT key, state = 'pending' AND partials.file IS NULL AS is_whole
       FROM sound_keys LEFT JOIN partials USING (key)`,
    );
    const packages = await client.query<{ uploaded: string }>(
      "SELECT uploaded FROM packages WHERE files_deleted = 0",
    );
    return {
      packed: new Set(
        packages.rows.flatMap((row) => Array.from(uploadedOf(row.uploaded).values())),
      ),
      recorded: new Set(rows.map(({ key }) => key)),
      pending: rows.filter((row) => row.is_whole).length,
    };
  } finally {
    await client.end();
  }
}
