import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  type AnnouncedBytes,
  type BoundSoundStore,
  type ByteRange,
  type QuarantinedSound,
  type QuarantiningSoundStore,
  type ResumedSound,
  type ResumingSoundStore,
  type StoredSound,
  StoreTroubleError,
  type SuspendableWriter,
} from "../../domain/ports.ts";
import { throwAny, tryEach } from "../disk/try-each.ts";
import { type Claim, claimKey, takeOver } from "./claims.ts";
import { INSTANCE_OBJECT, quarantineName, soundName, unfinishedPrefix } from "./object-names.ts";
import { CALLS_AT_ONCE, hashOf, S3Bucket } from "./s3-bucket.ts";
import { PATIENCE, type S3Address, type S3Timeouts } from "./s3-calls.ts";
import { isRefused } from "./s3-trouble.ts";
import { chainOf, readSegments, type Segment, sizeOf } from "./segments.ts";
import {
  deleteBeside,
  deleteSounds,
  findQuarantined,
  listQuarantine,
  listSounds,
  move,
} from "./sound-objects.ts";
import { SoundWriter } from "./sound-writer.ts";
import { UploadMemory } from "./upload-memory.ts";

const PROBE = "soundferry-probe-";
const WRONG_SHA256 = "0".repeat(64);

interface OpenS3Options extends S3Address {
  /** Set if importers may be sent to the service for their downloads (rule SC15). Off by default. */
  readonly presign?: boolean;
  /** Called with problems that the operator should know of, but that don't keep the store from working. */
  readonly onTrouble: (error: Error) => void;
  readonly patience?: Partial<S3Timeouts>;
  /** False makes no call to the service now. Then the store must not be given sounds. */
  readonly isProbed?: boolean;
}

/**
 * Opens the sounds in a bucket, which must exist. Checks once whether the service refuses an object that differs from
 * its announcement. If it doesn't, each sound is read back before it counts as finished.
 * @throws {StoreTroubleError} if the service can't be reached, or the bucket can't be used
 */
export async function openS3SoundStore({
  onTrouble,
  patience,
  presign = false,
  isProbed = true,
  ...address
}: OpenS3Options): Promise<S3SoundStore> {
  const bucket = new S3Bucket(address, { ...PATIENCE, ...patience });
  try {
    if (isProbed) await probe(bucket);
    if (bucket.takesWrongBytes) {
      const sentence =
        `The bucket ${address.bucket} takes objects whose checksum is wrong. ` +
        "Each sound is read back once it is stored, which takes time and traffic.";
      onTrouble(new StoreTroubleError(sentence, { code: "ENOCHECKSUM" }));
    }
    return new S3SoundStore(bucket, presign);
  } catch (error) {
    bucket[Symbol.dispose]();
    throw error;
  }
}

/** Finds out what the service does with checksums. */
async function probe(bucket: S3Bucket): Promise<void> {
  // Success proves that the bucket can be written to, and that the next refusal is about the checksum.
  const name = PROBE + randomBytes(8).toString("hex");
  await bucket.putText(name, "probe");
  try {
    bucket.takesWrongBytes = await takesWrongBytes(bucket, name);
    bucket.keepsChecksums = await keepsChecksums(bucket, name);
  } finally {
    await bucket.remove([name]).catch(() => undefined);
  }
}

async function takesWrongBytes(bucket: S3Bucket, name: string): Promise<boolean> {
  const wrong = Buffer.from("probe");
  try {
    await bucket.put(name, { bytes: wrong.length, sha256: WRONG_SHA256 }, () => [wrong]);
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return false;
  }
}

async function keepsChecksums(bucket: S3Bucket, name: string): Promise<boolean> {
  const sha256 = await hashOf([Buffer.from("kept")]);
  try {
    await bucket.putText(name, "kept", {}, sha256);
    return (await bucket.checksumOf(name)) === sha256;
  } catch {
    // Services refuse in many ways what they don't know.
    return false;
  }
}

/**
 * Sounds as objects `sounds/<package id>/<random>` of a bucket. A sound is found when its object is there: that is
 * made by one call, or by completing a multipart upload (rule J1). Many processes may use one bucket.
 *
 * Beside an unfinished sound there is a claim, which names its writer. The writer looks for the claim again after the
 * object is made: if the sound was deleted meanwhile, the object is removed.
 */
export class S3SoundStore
  implements BoundSoundStore, ResumingSoundStore, QuarantiningSoundStore, AsyncDisposable
{
  readonly #bucket: S3Bucket;
  readonly #presigns: boolean;
  readonly #memory = new UploadMemory();
  readonly #beingWritten = new Set<string>();

  /** @param presigns whether the store gives addresses to others */
  constructor(bucket: S3Bucket, presigns: boolean) {
    this.#bucket = bucket;
    this.#presigns = presigns;
  }

  async create(key: string, announced: AnnouncedBytes): Promise<SuspendableWriter> {
    const writer = await this.#alone(key, async () =>
      this.#write(await claimKey(this.#bucket, key, announced)),
    );
    if (writer === undefined) throw new Error(`${key} is in use.`);
    return writer;
  }

  async resume(key: string): Promise<ResumedSound | undefined> {
    const name = soundName(key);
    return this.#alone(key, async () => {
      const listed = await this.#bucket.listAll(unfinishedPrefix(key));
      if (listed.length === 0 || (await this.#bucket.head(name)) !== undefined) return undefined;
      const claim = await takeOver(this.#bucket, key, listed);
      if (claim === undefined) return undefined;
      const segments = chainOf(this.#bucket, listed);
      const writer = this.#write(claim, segments);
      return { storedBytes: sizeOf(segments), read: () => readSegments(segments), writer };
    });
  }

  async open(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const name = soundName(key);
    if (range.end >= range.start) return this.#bucket.open(name, range);
    return (await this.#bucket.head(name)) && Readable.from([]);
  }

  async addressOf(key: string, seconds: number): Promise<string | undefined> {
    const name = soundName(key);
    return this.#presigns ? this.#bucket.addressOf(name, seconds) : undefined;
  }

  async sizes(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    const look = async (key: string): Promise<void> => {
      const found = await this.#bucket.head(soundName(key));
      if (found !== undefined) sizes.set(key, found.bytes);
    };
    throwAny(await tryEach(keys, look, CALLS_AT_ONCE), "Some sounds could not be looked up.");
    return sizes;
  }

  async checksumOf(key: string): Promise<string | undefined> {
    return this.#bucket.keepsChecksums ? this.#bucket.checksumOf(soundName(key)) : undefined;
  }

  /** With `mayReturn`, removes finished sounds alone, without a look at each package for what is beside them. */
  async delete(
    keys: readonly string[],
    { mayReturn = false }: { readonly mayReturn?: boolean } = {},
  ): Promise<void> {
    await deleteSounds(this.#bucket, keys, { beside: !mayReturn });
  }

  list(): AsyncIterable<StoredSound> {
    return listSounds(this.#bucket, this.#beingWritten);
  }

  async quarantine(keys: readonly string[], since: number | null): Promise<void> {
    if (since === null) return this.#putBack(keys);
    const finished = [...(await this.sizes(keys)).keys()];
    // Comes first, because nobody would look afterwards for the objects that a killed writer left.
    await deleteBeside(this.#bucket, finished, { quarantined: false });
    await move(
      this.#bucket,
      finished.map((key) => ({ from: soundName(key), to: quarantineName(key, since) })),
    );
  }

  listQuarantined(packageId?: string): AsyncIterable<QuarantinedSound> {
    return listQuarantine(this.#bucket, packageId);
  }

  /** Does nothing, because a bucket has no folders. */
  async tidy(): Promise<void> {}

  async readInstance(): Promise<string | undefined> {
    return (await this.#bucket.getText(INSTANCE_OBJECT))?.trim() || undefined;
  }

  async keepInstance(instanceId: string): Promise<void> {
    await this.#bucket.putText(INSTANCE_OBJECT, `${instanceId}\n`);
  }

  /** Returns "unknown", because a service doesn't tell how much room it has. */
  async room(): Promise<"unknown"> {
    return "unknown";
  }

  /** Ends the store's connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#bucket[Symbol.dispose]();
  }

  async #putBack(keys: readonly string[]): Promise<void> {
    const found = await findQuarantined(this.#bucket, keys);
    await move(
      this.#bucket,
      found.map(({ key, since }) => ({ from: quarantineName(key, since), to: soundName(key) })),
    );
  }

  #write(claim: Claim, segments: readonly Segment[] = []): SoundWriter {
    const onEnd = () => void this.#beingWritten.delete(claim.key);
    const [bucket, memory] = [this.#bucket, this.#memory];
    return new SoundWriter({ bucket, claim, memory, segments, onEnd });
  }

  /** Starts a writer. Returns undefined if the sound is being written, or there is nothing to write. */
  async #alone<Started extends object>(
    key: string,
    start: () => Promise<Started | undefined>,
  ): Promise<Started | undefined> {
    if (this.#beingWritten.has(key)) return undefined;
    this.#beingWritten.add(key);
    let started: Started | undefined;
    try {
      started = await start();
      return started;
    } finally {
      if (started === undefined) this.#beingWritten.delete(key);
    }
  }
}
