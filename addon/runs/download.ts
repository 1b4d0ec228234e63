import { lstat, open } from "node:fs/promises";
import { setImmediate } from "node:timers";
import type { Sound } from "../../core/manifest/manifest.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { runSentence } from "../../core/protocol/run-sentences.ts";
import { SoundCheck, type SoundDigest } from "../../core/audio/sound-check.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { isMissing } from "../disk/atomic-file.ts";
import type { PackageSource, SoundStream } from "../packages/package-source.ts";
import { PartFile, readPieces } from "../disk/part-file.ts";
import { hashHere } from "../../program/hashing/hash-here.ts";
import type { StartHash } from "../../core/audio/running-hash.ts";
import { Deadlines } from "../timers.ts";
import { Attempts, type AttemptsOptions, FetchFailure } from "./attempts.ts";

/**
 * Number of whole downloads with wrong content after which the sound itself counts as wrong; before that, a proxy may
 * have changed it.
 */
const MAX_WRONG_DOWNLOADS = 2;

export interface DownloadOptions extends AttemptsOptions {
  /** Starts the hash of a sound; on the event loop by default. */
  readonly startHash?: StartHash | undefined;
  /** Called with the bytes received so far; fewer than before after a restart. */
  readonly onBytes: (seenBytes: number) => void;
}

interface CheckedSound {
  readonly header: WavHeader;
  readonly digest: SoundDigest;
}

/** A complete sound that passed its checks. */
export interface ReceivedSound extends CheckedSound {
  /** Flushes the file and renames it to its final name. */
  finish(): Promise<void>;
}

/**
 * Downloads one sound next to its final path and checks it on the way; `finish` renames it (rule F3).
 * Skips a file that is already there and verifies, and resumes a partial one, also in a later run.
 * @throws {Refusal} when the bytes differ from the announced ones or aren't a usable WAV
 * @throws {FetchFailure} when the source can't deliver it
 */
export async function receiveSound(
  source: PackageSource,
  sound: Sound,
  path: string,
  options: DownloadOptions,
): Promise<ReceivedSound> {
  const present = await readPresentSound(sound, path, options);
  if (present !== undefined) {
    options.onBytes(sound.bytes ?? 0);
    return { ...present, finish: async () => undefined };
  }
  const part = await PartFile.open(path);
  try {
    const checked = await new Download(source, sound, part, options).run();
    return { ...checked, finish: () => part.finish(path) };
  } catch (error) {
    if (isForGood(error) || !isVerifiable(sound)) await part.discard();
    else await part.keep();
    throw error;
  }
}

/** Returns whether a partial file can't be resumed: its content is wrong, or the relay refuses it. */
function isForGood(error: unknown): boolean {
  if (error instanceof FetchFailure) return error.refusedWith !== undefined;
  return error instanceof Refusal;
}

/** Returns whether a file can be verified, which takes both its size and its checksum. */
function isVerifiable(sound: Sound): sound is Sound & { readonly bytes: number } {
  return sound.bytes !== undefined && sound.sha256 !== undefined;
}

async function readPresentSound(
  sound: Sound,
  path: string,
  { startHash = hashHere }: DownloadOptions,
): Promise<CheckedSound | undefined> {
  if (!isVerifiable(sound) || !(await isFileOfSize(path, sound.bytes))) return undefined;
  const check = new SoundCheck(sound, sound.bytes, startHash);
  const file = await open(path);
  try {
    for await (const piece of readPieces(file, sound.bytes)) await check.push(piece);
    return await endOf(check);
  } catch (error) {
    // The download replaces another or a corrupt file.
    if (error instanceof Refusal) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

/** @throws {Refusal} like `SoundCheck.end` */
async function endOf(check: SoundCheck): Promise<CheckedSound> {
  const header = await check.end();
  return { header, digest: check.digest };
}

async function isFileOfSize(path: string, bytes: number): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size === bytes;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The download of one sound into a part file. */
class Download {
  readonly #source: PackageSource;
  readonly #sound: Sound;
  readonly #part: PartFile;
  readonly #options: DownloadOptions;
  readonly #startHash: StartHash;
  #check: SoundCheck | undefined;
  /** Number of bytes from the start that were ever received; only those beyond it are new. */
  #furthest = 0;

  constructor(source: PackageSource, sound: Sound, part: PartFile, options: DownloadOptions) {
    this.#source = source;
    this.#sound = sound;
    this.#part = part;
    this.#options = options;
    this.#startHash = options.startHash ?? hashHere;
  }

  async run(): Promise<CheckedSound> {
    // Resumed bytes can be corrupt, after a power cut for example: they are one more chance.
    const isResumed = await this.#resume();
    let chances = (this.#isRemote ? MAX_WRONG_DOWNLOADS : 1) + (isResumed ? 1 : 0);
    for (;;) {
      try {
        return await this.#complete();
      } catch (error) {
        chances -= 1;
        if (!(error instanceof Refusal) || chances === 0) throw error;
      }
      await this.#startOver();
      this.#furthest = 0;
    }
  }

  get #isRemote(): boolean {
    return this.#options.transport !== undefined;
  }

  /** Returns whether there was a partial file to resume. */
  async #resume(): Promise<boolean> {
    if (!isVerifiable(this.#sound)) return false;
    const check = new SoundCheck(this.#sound, this.#sound.bytes, this.#startHash);
    try {
      await this.#part.readBack(this.#sound.bytes, (piece) => check.push(piece));
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
    if (check.seenBytes === 0) return false;
    this.#check = check;
    this.#furthest = check.seenBytes;
    this.#options.onBytes(check.seenBytes);
    return true;
  }

  async #startOver(): Promise<void> {
    await this.#part.restart();
    this.#check = undefined;
  }

  async #complete(): Promise<CheckedSound> {
    const attempts = new Attempts(this.#options);
    for (;;) {
      const before = this.#furthest;
      try {
        if (this.#check?.isLost === true) this.#check = await this.#checkAgain(this.#check);
        if (this.#check?.missingBytes === 0) return await endOf(this.#check);
        await this.#receive(this.#check?.seenBytes ?? 0);
      } catch (error) {
        if (this.#check?.isLost !== true) await attempts.pauseAfter(error, this.#furthest - before);
      }
    }
  }

  /** Checks what was received from its first byte, on the event loop: the thread that hashed it has ended. */
  async #checkAgain({ fileBytes }: SoundCheck): Promise<SoundCheck> {
    const check = new SoundCheck(this.#sound, fileBytes, hashHere);
    await this.#part.readAgain((piece) => check.push(piece));
    return check;
  }

  /** Receives the rest of the sound from one connection. */
  async #receive(startByte: number): Promise<void> {
    const connection = new AbortController();
    const { signal } = connection;
    using deadlines = this.#deadlines();
    try {
      const opening = this.#source.open(this.#sound, { startByte, signal });
      const stream = await this.#receiveInTime(opening, deadlines);
      await this.#readStream(stream, await this.#checkFor(stream, startByte), deadlines);
    } catch (error) {
      // Abort one event-loop turn later: in the turn of a body's last byte Node's socket has no error
      // listener, and an abort would crash the process.
      setImmediate(() => connection.abort(error));
      throw error;
    }
  }

  async #checkFor(stream: SoundStream, startByte: number): Promise<SoundCheck> {
    const { fileBytes, bodyBytes = fileBytes - stream.startByte } = stream;
    if (![0, startByte].includes(stream.startByte) || stream.startByte + bodyBytes !== fileBytes) {
      throw this.#failure("FILE_OTHER_PART");
    }
    if (this.#check !== undefined && stream.startByte === startByte) return this.#check;
    await this.#part.restart();
    this.#check = new SoundCheck(this.#sound, fileBytes, this.#startHash);
    return this.#check;
  }

  async #readStream(stream: SoundStream, check: SoundCheck, deadlines: Deadlines): Promise<void> {
    const pieces = stream.body[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#receiveInTime(pieces.next(), deadlines);
      if (next.done === true) break;
      if (this.#isRemote && next.value.byteLength > check.missingBytes) {
        await this.#startOver();
        throw this.#failure("FILE_TOO_LONG");
      }
      const isBehind = check.push(next.value);
      if (isBehind !== undefined) await isBehind;
      const isFull = this.#part.write(next.value);
      if (isFull !== undefined) await isFull;
      this.#noteBytes(check.seenBytes);
    }
    if (check.missingBytes > 0) throw this.#failure("FILE_ENDED_EARLY");
  }

  #noteBytes(seenBytes: number): void {
    const newBytes = seenBytes - this.#furthest;
    if (newBytes > 0) {
      this.#furthest = seenBytes;
      this.#options.transport?.noteBytes(newBytes);
    }
    this.#options.onBytes(seenBytes);
  }

  /** Limits the silence of the source. */
  #deadlines(): Deadlines {
    const { signal, retryPolicy } = this.#options;
    const { silenceLimitMs: ms, timers } = retryPolicy;
    const { file } = this.#sound;
    const late = () => new Error(runSentence("FILE_SILENT", { file, seconds: ms / 1000 }));
    return new Deadlines({ ms, late, signal, timers });
  }

  /** Rejects with a `FetchFailure`. */
  async #receiveInTime<Answer>(answer: Promise<Answer>, deadlines: Deadlines): Promise<Answer> {
    try {
      return await deadlines.meet(answer);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      throw FetchFailure.of(error);
    }
  }

  #failure(code: "FILE_OTHER_PART" | "FILE_TOO_LONG" | "FILE_ENDED_EARLY"): FetchFailure {
    return new FetchFailure(runSentence(code, { file: this.#sound.file }));
  }
}
