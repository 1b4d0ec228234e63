import { createHash, randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type AnnouncedBytes, StoreTroubleError } from "../../domain/ports.ts";
import { claimName, parseUnfinished, soundName, unfinishedPrefix } from "./object-names.ts";
import type { ListedObject, S3Bucket } from "./s3-bucket.ts";
import { readObject } from "./segments.ts";
import { deleteSounds } from "./sound-objects.ts";

/** Maximum number of tries. Two writers that begin a sound at once both step back, and try again later. */
const MOST_TRIES = 20;
const PAUSE_MS = { least: 20, most: 200 } as const;
const FIRST_EPOCH = 1;

/** The right to write a sound: an object beside it, with a unique name. */
export class Claim {
  readonly key: string;
  readonly epoch: number;
  readonly name: string;
  readonly announced: AnnouncedBytes;
  readonly #bucket: S3Bucket;

  constructor(bucket: S3Bucket, key: string, epoch: number, announced: AnnouncedBytes) {
    this.key = key;
    this.epoch = epoch;
    this.announced = announced;
    this.#bucket = bucket;
    this.name = claimName(key, epoch, randomBytes(8).toString("hex"));
  }

  async put(): Promise<void> {
    const { bytes, sha256 } = this.announced;
    await this.#bucket.putText(this.name, "", { bytes: String(bytes), sha256 });
  }

  async withdraw(): Promise<void> {
    await this.#bucket.remove([this.name]);
  }

  /** Checks that the claim is still there. @throws {ClaimGone} if the sound was deleted, or taken over, since */
  async require(): Promise<void> {
    if ((await this.#bucket.head(this.name)) !== undefined) return;
    throw new ClaimGone(`${this.key} was deleted while it was written.`);
  }
}

/** The refusal of a writer whose sound somebody else deleted or continues. */
class ClaimGone extends Error {
  override readonly name = "ClaimGone";
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
  const sound = soundName(key);
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const claim = new Claim(bucket, key, FIRST_EPOCH, announced);
    await claim.put();
    const [others, finished] = await Promise.all([othersThan(bucket, claim), bucket.head(sound)]);
    if (others.size === 0 && finished === undefined) return claim;
    await claim.withdraw();
    if (finished !== undefined) break;
    await sleep(randomInt(PAUSE_MS.least, PAUSE_MS.most));
    const left = await othersThan(bucket, claim);
    if ([...left].some((name) => others.has(name))) break;
  }
  throw new Error(`${key} is in use.`);
}

/**
 * Takes over an unfinished sound. The earlier writer can't finish it from then on.
 * @param listed the objects below `unfinishedPrefix`
 * @returns undefined if the sound was deleted
 */
export async function takeOver(
  bucket: S3Bucket,
  key: string,
  listed: readonly ListedObject[],
): Promise<Claim | undefined> {
  const names = listed.map(({ name }) => ({ name, parsed: parseUnfinished(name) }));
  const claims = names.filter(({ parsed }) => parsed?.kind === "claim");
  const newest = claims.toSorted((a, b) => epochOf(a) - epochOf(b)).at(-1);
  const found = newest && (await bucket.head(newest.name));
  if (newest === undefined || found === undefined) return undefined;
  const { bytes, sha256 = "" } = found.metadata;
  const announced = { bytes: Number(bytes), sha256 };
  const claim = new Claim(bucket, key, epochOf(newest) + 1, announced);
  await claim.put();
  // A process that deletes the sound meanwhile also deletes the claims that it finds.
  if ((await bucket.head(newest.name)) === undefined) {
    await claim.withdraw();
    return undefined;
  }
  await bucket.remove(claims.map(({ name }) => name));
  return claim;
}

/** Checks whether anybody has a claim to the sound. */
async function isClaimed(bucket: S3Bucket, key: string): Promise<boolean> {
  for await (const { name } of bucket.list(unfinishedPrefix(key))) {
    if (parseUnfinished(name)?.kind === "claim") return true;
  }
  return false;
}

async function othersThan(bucket: S3Bucket, claim: Claim): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { name } of bucket.list(unfinishedPrefix(claim.key))) names.add(name);
  names.delete(claim.name);
  return names;
}

function epochOf({ parsed }: { readonly parsed: { readonly epoch: number } | undefined }): number {
  return parsed?.epoch ?? 0;
}

/** The steps that end a sound's writer. */
export class Ending {
  readonly #bucket: S3Bucket;
  readonly #beingWritten: Set<string>;
  readonly #checksItself: boolean;

  /**
   * Prepares the steps for one store.
   * @param checksItself whether to read each sound back, because the service checks nothing
   */
  constructor(bucket: S3Bucket, beingWritten: Set<string>, checksItself: boolean) {
    this.#bucket = bucket;
    this.#beingWritten = beingWritten;
    this.#checksItself = checksItself;
  }

  /**
   * Finishes a sound whose object is made, unless the sound was deleted since. A deletion removes the claim first and
   * the object then, so one of the two sides notices the other.
   * @param names objects that the sound no longer needs, besides its claim
   * @throws {Error} if it was deleted, or isn't what was sent; then the object is gone, too
   */
  async confirm(claim: Claim, names: readonly string[] = []): Promise<void> {
    if (this.#checksItself) await this.#check(claim.key, claim.announced);
    await this.require(claim);
    // A leftover object costs room until the sound is deleted, and does no other harm.
    await this.#bucket.remove([claim.name, ...names]).catch(() => undefined);
  }

  /**
   * Checks that a claim is still there.
   * @throws {Error} if the sound was deleted, and then its objects are gone; or if another process has taken it over
   */
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

  /** Deletes all objects of a sound. */
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
