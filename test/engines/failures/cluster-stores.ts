import {
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Client } from "pg";
import { checkRelay } from "../../../relay/operating/check.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { uploadedOf } from "../../../relay/storage/records/rows.ts";
import { SOUNDS, UNFINISHED } from "../../../relay/storage/s3/object-names.ts";
import { type Cluster, settingsOf } from "../cluster.ts";
import type { Checks, CrashedStores } from "../../sim/world.ts";

/** Numbers of objects in a bucket, without the quarantine. */
interface BucketCounts {
  /** Finished sounds, but for those that are on record as uploads that were cut off. */
  readonly sounds: number;
  /** Parts of sounds and multipart uploads that are on no record: nothing would ever delete them. */
  readonly strangers: readonly string[];
  /** Keys of sounds that came in one call and are not over yet. */
  readonly pending: number;
}

/** The database and the bucket that relays share. */
export class ClusterStores implements CrashedStores {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async check(checks: Checks, sounds: number): Promise<void> {
    const stored = async () => ({ ...(await this.count()), pending: undefined });
    const promised = { sounds, strangers: [], pending: undefined };
    await checks.becomes("As many objects as sounds", stored, promised);
  }

  /** Expects that `soundferry relay check` finds nothing wrong. */
  async checkWhole(checks: Checks): Promise<void> {
    const settings = readRelaySettings({ environment: settingsOf(this.#cluster) });
    const { mismatch, lost } = await checkRelay(settings, {});
    checks.same("Database and bucket belong together", mismatch, undefined);
    checks.same("No sound on record is missing", lost, []);
  }

  /** Lists the bucket, and compares it with the keys that the database has on record (rule J2). */
  async count(): Promise<BucketCounts> {
    using client = this.#client();
    const finished = await this.#keys(client, SOUNDS);
    const unfinished = await this.#keys(client, UNFINISHED);
    const listed = new ListMultipartUploadsCommand({ Bucket: this.#cluster.bucket });
    const { Uploads = [] } = await client.send(listed);
    const uploads = Uploads.map(({ Key = "" }) => keyIn(Key, SOUNDS));
    // Afterwards: what is not on record now was on none when it was listed, or has been deleted.
    const { recorded, packed, pending } = await recordedKeys(this.#cluster.databaseUrl);
    return {
      sounds: finished.filter((key) => !recorded.has(key)).length,
      // A claim whose removal failed goes with its sound.
      strangers: [...unfinished, ...uploads].filter(
        (key) => !recorded.has(key) && !packed.has(key),
      ),
      pending,
    };
  }

  /** Deletes every finished sound behind the relays' back; returns how many. */
  async loseSounds(): Promise<number> {
    using client = this.#client();
    const names = await this.#names(client, SOUNDS);
    const { bucket: Bucket } = this.#cluster;
    for (const Key of names) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    return names.length;
  }

  #client(): S3Client & Disposable {
    const client = this.#cluster.engines.swift.client();
    return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
  }

  async #keys(client: S3Client, prefix: string): Promise<readonly string[]> {
    return (await this.#names(client, prefix)).map((name) => keyIn(name, prefix));
  }

  /** The names of all objects below a prefix. */
  async #names(client: S3Client, Prefix: string): Promise<readonly string[]> {
    const names: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const { bucket: Bucket } = this.#cluster;
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }),
      );
      names.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return names;
  }
}

/** `<package>/<random>`, without what comes before and after it. */
function keyIn(name: string, prefix: string): string {
  return name.slice(prefix.length).split("/").slice(0, 2).join("/");
}

/** The keys of packages, and those that are pending or doomed. */
async function recordedKeys(connectionString: string) {
  const client = new Client({ connectionString });
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
