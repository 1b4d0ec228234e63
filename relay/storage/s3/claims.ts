import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type AnnouncedBytes, StoreTroubleError } from "../../domain/ports.ts";
import {
  claimName,
  isClaim,
  parseUnfinished,
  soundName,
  unfinishedPrefix,
} from "./object-names.ts";
import { hashOf, type ListedObject, type S3Bucket } from "./s3-bucket.ts";
import { deleteSounds } from "./sound-objects.ts";

/** Maximum number of tries. Two writers that begin a sound at once both step back, and try again later. */
const MOST_TRIES = 20;
export const FIRST_EPOCH = 1;

/** The right to write a sound: an object beside it, with a unique name. */
export class Claim {
  readonly key: string;
  readonly epoch: number;
  readonly announced: AnnouncedBytes;
  readonly name: string;
  readonly #bucket: S3Bucket;

  constructor(bucket: S3Bucket, key: string, epoch: number, announced: AnnouncedBytes) {
    this.#bucket = bucket;
    this.key = key;
    this.epoch = epoch;
    this.announced = announced;
    this.name = claimName(key, epoch, randomBytes(8).toString("hex"));
  }

  async put(): Promise<void> {
    const { bytes, sha256 } = this.announced;
    await this.#bucket.putText(this.name, "", { bytes: String(bytes), sha256 });
  }

  /**
   * Checks that the claim is still there.
   * @throws {Error} if the sound was deleted, and then its objects are gone; or if another process has taken it over
   */
  async require(): Promise<void> {
    if ((await this.#bucket.head(this.name)) !== undefined) return;
    const listed = await this.#bucket.listAll(unfinishedPrefix(this.key));
    if (!listed.some(({ name }) => isClaim(name))) await this.drop();
    throw new Error(`${this.key} was deleted while it was written.`);
  }

  /**
   * Finishes a sound whose object is made, unless the sound was deleted since. A deletion removes the claim first and
   * the object then, so one of the two sides notices the other.
   * @param names objects that the sound no longer needs, besides its claim
   * @throws {Error} if it was deleted, or isn't what was sent; then the object is gone, too
   */
  async confirm(names: readonly string[]): Promise<void> {
    if (this.#bucket.takesWrongBytes) await this.#readBack();
    await this.require();
    // A leftover object costs room until the sound is deleted, and does no other harm.
    await this.#bucket.remove([this.name, ...names]).catch(() => undefined);
  }

  /** Deletes all objects of the sound. */
  async drop(): Promise<void> {
    await deleteSounds(this.#bucket, [this.key]);
  }

  async #readBack(): Promise<void> {
    const pieces = await this.#bucket.open(soundName(this.key));
    if (pieces !== undefined && (await hashOf(pieces)) === this.announced.sha256) return;
    await this.drop();
    const sentence = `${this.key} isn't what was sent. The service has damaged it, or the way to it.`;
    throw new StoreTroubleError(sentence, { code: "EBADMSG" });
  }
}

/**
 * Claims a key that nobody has used. A writer that sees no other claim after writing its own has the key: of two
 * writers, at least one sees both claims. That needs a service whose lists are never behind, and no conditional writes.
 * @throws {Error} if the key is in use
 */
export async function claimKey(
  bucket: S3Bucket,
  key: string,
  announced: AnnouncedBytes,
): Promise<Claim> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const claim = new Claim(bucket, key, FIRST_EPOCH, announced);
    await claim.put();
    const finished = bucket.head(soundName(key));
    const [others, found] = await Promise.all([othersThan(bucket, claim), finished]);
    if (others.length === 0 && found === undefined) return claim;
    await bucket.remove([claim.name]);
    if (found !== undefined) break;
    await sleep(randomInt(20, 200));
    const left = await othersThan(bucket, claim);
    if (left.some((name) => others.includes(name))) break;
  }
  throw new Error(`${key} is in use.`);
}

/**
 * Takes over an unfinished sound. The earlier writer can't finish it from then on.
 * @param listed the sound's unfinished objects in the order of their names
 * @returns undefined if the sound was deleted
 */
export async function takeOver(
  bucket: S3Bucket,
  key: string,
  listed: readonly ListedObject[],
): Promise<Claim | undefined> {
  const claims = listed.map(({ name }) => name).filter(isClaim);
  const newest = claims.at(-1) ?? "";
  const { epoch } = parseUnfinished(newest) ?? { epoch: 0 };
  const found = epoch > 0 ? await bucket.head(newest) : undefined;
  if (found === undefined) return undefined;
  const { bytes, sha256 = "" } = found.metadata;
  const claim = new Claim(bucket, key, epoch + 1, { bytes: Number(bytes), sha256 });
  await claim.put();
  // A process that deletes the sound meanwhile also deletes the claims that it finds.
  if ((await bucket.head(newest)) === undefined) {
    await bucket.remove([claim.name]);
    return undefined;
  }
  await bucket.remove(claims);
  return claim;
}

async function othersThan(bucket: S3Bucket, claim: Claim): Promise<readonly string[]> {
  const listed = await bucket.listAll(unfinishedPrefix(claim.key));
  return listed.map(({ name }) => name).filter((name) => name !== claim.name);
}
