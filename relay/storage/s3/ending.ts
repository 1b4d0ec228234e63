import { createHash } from "node:crypto";
import { type AnnouncedBytes, StoreTroubleError } from "../../domain/ports.ts";
import { type Claim, ClaimGone, isClaimed } from "./claims.ts";
import { deleteSounds } from "./delete-sounds.ts";
import { soundName } from "./object-names.ts";
import { readObject } from "./read-object.ts";
import type { S3Bucket } from "./s3-bucket.ts";

/** What happens when a sound's writer ends. */
export class Ending {
  readonly #bucket: S3Bucket;
  readonly #beingWritten: Set<string>;
  readonly #checksItself: boolean;

  /** @param checksItself whether to read each sound back, because the service checks nothing */
  constructor(bucket: S3Bucket, beingWritten: Set<string>, checksItself: boolean) {
    this.#bucket = bucket;
    this.#beingWritten = beingWritten;
    this.#checksItself = checksItself;
  }

  /**
   * After the object is made: the sound is finished unless it was deleted since. Who deletes it removes the claim
   * first and the object then, so one of both meets it.
   * @param names what the sound doesn't need any more besides its claim
   * @throws {Error} if it was deleted, or is not what was sent; then the object is gone, too
   */
  async confirm(claim: Claim, names: readonly string[] = []): Promise<void> {
    if (this.#checksItself) await this.#check(claim.key, claim.announced);
    await this.require(claim);
    // What is left costs room until the sound is deleted, and nothing else.
    await this.#bucket.remove([claim.name, ...names]).catch(() => undefined);
  }

  /** @throws {Error} if the sound was deleted, and what came of it is gone then; or if another process has taken it over */
  async require(claim: Claim): Promise<void> {
    try {
      await claim.require();
    } catch (error) {
      if (error instanceof ClaimGone && !(await isClaimed(this.#bucket, claim.key))) {
        await this.drop(claim.key);
      }
      throw error;
    }
  }

  /** Deletes what came of a sound. */
  async drop(key: string): Promise<void> {
    await deleteSounds(this.#bucket, [key]);
  }

  end(key: string): void {
    this.#beingWritten.delete(key);
  }

  async #check(key: string, { sha256 }: AnnouncedBytes): Promise<void> {
    const hash = createHash("sha256");
    const opened = await this.#bucket.get(soundName(key));
    if (opened !== undefined) {
      for await (const piece of readObject(opened.body, this.#bucket.patience.idleMs)) {
        hash.update(piece);
      }
    }
    if (opened !== undefined && hash.digest("hex") === sha256) return;
    await this.drop(key);
    const sentence = `${key} isn't what was sent. The service has damaged it, or the way to it.`;
    throw new StoreTroubleError(sentence, { code: "EBADMSG" });
  }
}
