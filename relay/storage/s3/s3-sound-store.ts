import { randomBytes } from "node:crypto";
import {
  type AnnouncedBytes,
  type BoundSoundStore,
  type ByteRange,
  type ListingSoundStore,
  type PresigningSoundStore,
  type QuarantinedSound,
  type QuarantiningSoundStore,
  type ResumedSound,
  type ResumingSoundStore,
  type StoredSound,
  StoreTroubleError,
  type SuspendableWriter,
} from "../../domain/ports.ts";
import { throwAny, tryEach } from "../disk/try-each.ts";
import { claimKey, Ending, takeOver } from "./claims.ts";
import {
  INSTANCE_OBJECT,
  QUARANTINE,
  quarantineName,
  soundName,
  SOUNDS,
  UNFINISHED,
  unfinishedPrefix,
} from "./object-names.ts";
import { type ListedObject, S3Bucket } from "./s3-bucket.ts";
import { PATIENCE, type S3Address, type S3Timeouts } from "./s3-clients.ts";
import { isRefused } from "./s3-trouble.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { chainOf, readObject, readSegments, sizeOf } from "./segments.ts";
import {
  deleteSounds,
  deleteUnfinished,
  findQuarantined,
  listQuarantined,
  listSounds,
  move,
} from "./sound-objects.ts";
import { UploadMemory } from "./upload-memory.ts";
import { WholeWriter } from "./whole-writer.ts";

const PROBE = "soundferry-probe-";
/** The SHA-256 of an empty object, which the probe isn't. */
const WRONG_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

interface OpenS3Options extends S3Address {
  /** Set if importers may be sent to the service for their downloads (rule SC15). Off by default. */
  readonly presign?: boolean;
  /** Called with problems that the operator should know of, but that don't keep the store from working. */
  readonly onTrouble: (error: Error) => void;
  readonly patience?: Partial<S3Timeouts>;
}

/**
 * Opens the sounds in a bucket, which must exist. Checks once whether the service refuses an object that differs from
 * its announcement. If it doesn't, each sound is read back before it counts as finished.
 * @throws {StoreTroubleError} if the service can't be reached, or the bucket can't be used
 */
export async function openS3SoundStore({
  onTrouble,
  patience,
  presign: presigns = false,
  ...address
}: OpenS3Options): Promise<S3SoundStore> {
  const bucket = new S3Bucket(address, { ...PATIENCE, ...patience });
  try {
    const checksItself = !(await refusesWrongBytes(bucket));
    if (checksItself) {
      const sentence =
        `The bucket ${address.bucket} takes objects whose checksum is wrong. ` +
        "Each sound is read back once it is stored, which takes time and traffic.";
      onTrouble(new StoreTroubleError(sentence, { code: "ENOCHECKSUM" }));
    }
    return new S3SoundStore({ bucket, checksItself, presigns });
  } catch (error) {
    bucket[Symbol.dispose]();
    throw error;
  }
}

async function refusesWrongBytes(bucket: S3Bucket): Promise<boolean> {
  // Success proves that the bucket can be written to, and that the next refusal is about the checksum.
  const name = PROBE + randomBytes(8).toString("hex");
  await bucket.putText(name, "probe");
  try {
    await bucket.putText(name, "probe", {}, WRONG_SHA256);
    return false;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return true;
  } finally {
    await bucket.remove([name]).catch(() => undefined);
  }
}

const CALLS_AT_ONCE = 16;

interface S3SoundStoreOptions {
  readonly bucket: S3Bucket;
  /** True if the service doesn't check checksums, so that each sound is read back. */
  readonly checksItself: boolean;
  /** True if the store gives addresses to others. */
  readonly presigns: boolean;
}

/**
 * Sounds as objects `sounds/<package id>/<random>` of a bucket. A sound is found when its object is there: that is
 * made by one call, or by completing a multipart upload (rule J1). Many processes may use one bucket.
 *
 * Beside an unfinished sound there is a claim, which names its writer. The writer looks for the claim again after the
 * object is made: if the sound was deleted meanwhile, the object is removed.
 */
export class S3SoundStore
  implements
    BoundSoundStore,
    ListingSoundStore,
    PresigningSoundStore,
    ResumingSoundStore,
    QuarantiningSoundStore,
    AsyncDisposable
{
  readonly #bucket: S3Bucket;
  readonly #memory = new UploadMemory();
  readonly #beingWritten = new Set<string>();
  readonly #ending: Ending;
  readonly #presigns: boolean;

  constructor({ bucket, checksItself, presigns }: S3SoundStoreOptions) {
    this.#presigns = presigns;
    this.#bucket = bucket;
    this.#ending = new Ending(bucket, this.#beingWritten, checksItself);
  }

  /** Number of bytes that all uploads hold in memory. */
  get heldBytes(): number {
    return this.#memory.heldBytes;
  }

  async create(key: string, announced: AnnouncedBytes): Promise<SuspendableWriter> {
    soundName(key);
    const writer = await this.#startWriter(key, async () => {
      const claim = await claimKey(this.#bucket, key, announced);
      const parts = { ...this.#shared, claim };
      return announced.comesWhole === true ? new WholeWriter(parts) : new SegmentWriter(parts);
    });
    if (writer === undefined) throw new Error(`${key} is in use.`);
    return writer;
  }

  async resume(key: string): Promise<ResumedSound | undefined> {
    const name = soundName(key);
    return this.#startWriter(key, async () => {
      const listed: ListedObject[] = [];
      for await (const each of this.#bucket.list(unfinishedPrefix(key))) listed.push(each);
      if (listed.length === 0 || (await this.#bucket.head(name)) !== undefined) return undefined;
      const claim = await takeOver(this.#bucket, key, listed);
      if (claim === undefined) return undefined;
      const segments = chainOf(listed);
      return {
        storedBytes: sizeOf(segments),
        read: () => readSegments(this.#bucket, segments),
        writer: new SegmentWriter({ ...this.#shared, claim }, segments),
      };
    });
  }

  async open(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const name = soundName(key);
    const bytes = range.end - range.start + 1;
    if (bytes <= 0) return (await this.#bucket.head(name)) && noPieces();
    const opened = await this.#bucket.get(name, range);
    if (opened === undefined) return undefined;
    if (opened.bytes === bytes) return readObject(opened.body, this.#bucket.patience.idleMs);
    opened.body.destroy();
    return undefined;
  }

  async addressOf(key: string, seconds: number): Promise<string | undefined> {
    const name = soundName(key);
    return this.#presigns ? this.#bucket.addressOf(name, seconds) : undefined;
  }

  async exists(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.sizes(keys)).keys());
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

  async delete(keys: readonly string[]): Promise<void> {
    await deleteSounds(this.#bucket, keys);
  }

  async *keys(): AsyncIterable<string> {
    for await (const { key } of this.list()) yield key;
  }

  list(): AsyncIterable<StoredSound> {
    return listSounds(this.#bucket, this.#beingWritten);
  }

  async quarantine(keys: readonly string[], since: number): Promise<void> {
    const finished = [...(await this.exists(keys))];
    // Comes first, because nobody would look afterwards for the objects that a killed writer left.
    await deleteUnfinished(this.#bucket, finished);
    await move(
      this.#bucket,
      finished.map((key) => ({ from: soundName(key), to: quarantineName(key, since) })),
    );
  }

  listQuarantined(packageId?: string): AsyncIterable<QuarantinedSound> {
    return listQuarantined(this.#bucket, packageId);
  }

  async putBack(keys: readonly string[]): Promise<void> {
    const found = await findQuarantined(this.#bucket, keys);
    await move(
      this.#bucket,
      found.map(({ key, name }) => ({ from: name, to: soundName(key) })),
    );
  }

  /** Does nothing, because a bucket has no folders. */
  async tidy(): Promise<void> {}

  async readInstance(): Promise<string | undefined> {
    return (await this.#bucket.getText(INSTANCE_OBJECT))?.trim() || undefined;
  }

  async keepInstance(instanceId: string): Promise<void> {
    await this.#bucket.putText(INSTANCE_OBJECT, `${instanceId}\n`);
  }

  async holdsSounds(): Promise<boolean> {
    const held = [SOUNDS, UNFINISHED, QUARANTINE].map((each) => this.#bucket.holdsAny(each));
    return (await Promise.all(held)).includes(true);
  }

  /** Returns "unknown", because a service doesn't tell how much room it has. */
  async room(): Promise<"unknown"> {
    return "unknown";
  }

  /** Ends the store's connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#bucket[Symbol.dispose]();
  }

  get #shared() {
    return { bucket: this.#bucket, memory: this.#memory, ending: this.#ending };
  }

  /** Starts a writer. Returns undefined if the sound is being written, or there is nothing to write. */
  async #startWriter<Started extends object>(
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

async function* noPieces(): AsyncGenerator<never> {}
