import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import { SOUNDS } from "../../../relay/storage/s3/object-names.ts";
import { checkRelay } from "../../../relay/operating/on-stores.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { type Cluster, settingsOf } from "../../../scaled/cluster.ts";
import type { Checks } from "../../crash/checks.ts";
import type { CrashedStores } from "../../crash/sender.ts";
import { countBucket, listNames } from "./count-bucket.ts";

/** The database and the bucket that relays share. */
export class ClusterStores implements CrashedStores {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async check(checks: Checks, promisedSounds: number): Promise<void> {
    const stored = async () => {
      const { sounds, strangers } = await countBucket(this.#cluster);
      return { sounds, strangers };
    };
    const promised = { sounds: promisedSounds, strangers: [] };
    await checks.becomes("As many objects as sounds", stored, promised);
  }

  /** Deletes every finished sound behind the relays' back; returns how many. */
  async loseSounds(): Promise<number> {
    const { engines, bucket: Bucket } = this.#cluster;
    const client = engines.swift.client();
    try {
      const names = await listNames(client, Bucket, SOUNDS);
      for (const Key of names) await client.send(new DeleteObjectCommand({ Bucket, Key }));
      return names.length;
    } finally {
      client.destroy();
    }
  }

  /** What `soundferry relay check` finds. */
  async checkWhole(checks: Checks): Promise<void> {
    const { mismatch, lost } = await checkRelay(
      readRelaySettings({ environment: settingsOf(this.#cluster) }),
      {},
    );
    checks.same("Database and bucket belong together", mismatch, undefined);
    checks.same("No sound on record is missing", lost, []);
  }
}
