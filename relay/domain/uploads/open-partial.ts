import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { deleteUnused, requireOwnSounds } from "../upkeep/doomed-sounds.ts";
import type { Context } from "../context.ts";
import {
  type HeldTurn,
  packageOfKey,
  type PartialTurn,
  type ResumedSound,
  type ResumingSoundStore,
  resumesSounds,
  type SuspendableWriter,
} from "../ports.ts";
import type { Announced } from "./find-uploadable.ts";
import { newKey } from "./receive-sound.ts";
import { receivedFrom } from "./received-bytes.ts";
import { judgeStored, SoundJudge } from "./sound-judge.ts";

/** A relay whose sound store can continue a file (rule U10). */
export interface ResumingContext extends Context {
  readonly sounds: ResumingSoundStore;
}

export function canResume(context: Context): context is ResumingContext {
  return resumesSounds(context.sounds);
}

/** A partial that nobody else writes: see `Partials`. End it with `keep`, `finish` or `drop`. */
export class OpenPartial {
  readonly key: string;
  readonly writer: SuspendableWriter;
  readonly judge: SoundJudge;
  readonly storedBytes: number;
  readonly #context: ResumingContext;
  readonly #sound: AnnouncedSound;
  readonly #held: HeldTurn | undefined;
  #countedBytes: number;

  private constructor(
    context: ResumingContext,
    sound: AnnouncedSound,
    partial: Pick<OpenPartial, "key" | "writer" | "storedBytes"> & {
      /** The bytes that count for an address already. */
      readonly countedBytes: number;
      /** Set where several processes can continue a file. */
      readonly held: HeldTurn | undefined;
    },
  ) {
    const { key, storedBytes } = partial;
    this.key = key;
    this.writer = partial.writer;
    this.storedBytes = storedBytes;
    this.judge =
      context.partials.takeJudge(key, storedBytes) ??
      new SoundJudge(context.digest, sound, storedBytes);
    this.#context = context;
    this.#sound = sound;
    this.#held = partial.held;
    this.#countedBytes = partial.countedBytes;
  }

  /** Opens the partial of a file; undefined if there is none, or if its bytes are lost. */
  static async open(
    context: ResumingContext,
    { sound, record }: Announced,
    held: HeldTurn | undefined,
  ): Promise<OpenPartial | undefined> {
    const { sounds, soundKeys } = context;
    const partials = await soundKeys.findPartials(record.packageId);
    // The record may have been read before another process removed it.
    if (partials === undefined) throw refusal("PACKAGE_UNKNOWN");
    const partial = partials.get(sound.file);
    if (partial === undefined) return undefined;
    const { key, storedBytes: countedBytes } = partial;
    const stored = (await sounds.resume(key)) ?? (await findFinished(context, key, sound));
    if (stored !== undefined) {
      const { writer, storedBytes } = stored;
      return new OpenPartial(context, sound, { key, writer, storedBytes, countedBytes, held });
    }
    await dropPartial(context, key, held?.turn);
    return undefined;
  }

  /**
   * Begins one. Its key is pending before the store gets its first byte (rule J2), and becomes a partial only then: the
   * removal of its package dooms partials, and deletes their bytes, which must not appear later (rule Z15).
   * @throws {Refusal} 404, 409 if the package takes no files any more
   */
  static async create(
    context: ResumingContext,
    { sound, record }: Announced,
    held: HeldTurn | undefined,
  ): Promise<OpenPartial> {
    const { sounds, soundKeys } = context;
    const { key, endsAt } = newKey(context, record);
    await soundKeys.addPending(key, endsAt);
    let writer: SuspendableWriter | undefined;
    try {
      const { bytes, sha256, file } = sound;
      writer = await sounds.create(key, { bytes, sha256 });
      const hasBegun = await soundKeys.beginPartial({ key, file, turn: held?.turn });
      if (!hasBegun) throw refusal("UPLOAD_REPLACED", { file });
      const none = { storedBytes: 0, countedBytes: 0 };
      return new OpenPartial(context, sound, { key, writer, ...none, held });
    } catch (error) {
      await writer?.discard().catch(() => undefined);
      await dropPartial(context, key, held?.turn);
      throw error;
    }
  }

  /** The bytes that don't count for an address yet (rule L4). */
  get uncountedBytes(): number {
    return this.judge.receivedBytes - this.#countedBytes;
  }

  /** Ends it. Resolves with the number of stored bytes once they are durable. */
  async suspend(): Promise<number> {
    const bytes = await this.writer.suspend();
    // Another process may have stored other bytes than the judge has seen.
    if (this.judge.sawAll && bytes === this.judge.receivedBytes) {
      this.#context.partials.keepJudge(this.key, this.judge);
    }
    return bytes;
  }

  /**
   * Ends it after new bytes from an address, which count from then on.
   * @throws {Refusal} 409 if it was ended meanwhile
   * @throws {TurnLostError}
   */
  async keep(address: string): Promise<number> {
    const storedBytes = await this.suspend();
    const { soundKeys } = this.#context;
    const bytes = Math.max(0, storedBytes - this.#countedBytes);
    const received = receivedFrom(this.#context, address, bytes);
    const { key } = this;
    try {
      const isKept = await soundKeys.keepPartial({
        key,
        storedBytes,
        received,
        turn: this.#held?.turn,
      });
      if (!isKept)
        throw await this.reasonOf(refusal("UPLOAD_REPLACED", { file: this.#sound.file }));
    } catch (error) {
      this.#context.partials.forgetJudge(key);
      throw error;
    }
    return storedBytes;
  }

  /**
   * Judges the whole sound and finishes it.
   * @throws {Refusal} 422; it is still open then
   * @throws {TurnLostError}
   */
  async finish(): Promise<void> {
    // If the folder was exchanged, a finished sound would be gone once the relay's own folder is back.
    await requireOwnSounds(this.#context);
    const isJudged = await this.judge.end();
    await this.#held?.confirm();
    if (isJudged) return this.writer.finish();
    await this.#finishStored();
  }

  /** Returns the reason for a failure: another call may have ended the partial, and deleted its bytes. */
  async reasonOf(error: unknown): Promise<unknown> {
    const { soundKeys } = this.#context;
    const { file } = this.#sound;
    try {
      const partials = await soundKeys.findPartials(packageOfKey(this.key));
      // A writer that took the sound over while it was deleted may have left an object in the bucket.
      if (partials === undefined) await deleteUnused(this.#context, [this.key]);
      const isEnded = partials?.get(file)?.key !== this.key;
      return isEnded ? refusal("UPLOAD_REPLACED", { file }) : error;
    } catch {
      return error;
    }
  }

  /** Deletes the stored bytes of the file. */
  async drop(): Promise<void> {
    try {
      // Before the bytes are deleted: another process may continue them.
      await this.#held?.confirm();
    } catch (error) {
      await this.writer.suspend();
      throw error;
    }
    await this.writer.discard().catch(() => undefined);
    await dropPartial(this.#context, this.key, this.#held?.turn);
  }

  /** Judges and finishes the stored bytes. After a restart no judge has seen the first ones. */
  async #finishStored(): Promise<void> {
    const { sounds, digest } = this.#context;
    await this.writer.suspend();
    const stored = await sounds.resume(this.key);
    if (stored === undefined) {
      if ((await sounds.sizes([this.key])).has(this.key)) return;
      throw new Error(`${this.key} was deleted while it was written.`);
    }
    try {
      await judgeStored(digest, this.#sound, stored.read());
    } catch (error) {
      await stored.writer.suspend();
      throw error;
    }
    await stored.writer.finish();
  }
}

/** Finds a sound that is finished, and thus judged, but not in its package yet, as after a crash. */
async function findFinished(
  { sounds }: ResumingContext,
  key: string,
  { bytes }: AnnouncedSound,
): Promise<Pick<ResumedSound, "writer" | "storedBytes"> | undefined> {
  if (!(await sounds.sizes([key])).has(key)) return undefined;
  const writer: SuspendableWriter = {
    write: () => undefined,
    suspend: async () => bytes,
    finish: async () => undefined,
    discard: async () => undefined,
  };
  return { writer, storedBytes: bytes };
}

async function dropPartial(
  context: ResumingContext,
  key: string,
  turn: PartialTurn | undefined,
): Promise<void> {
  await context.soundKeys.doom({ partial: key, turn });
  await deleteUnused(context, [key]);
}
