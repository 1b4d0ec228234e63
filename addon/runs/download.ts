import { lstat, open } from "node:fs/promises";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { setImmediate } from "node:timers";
import { setTimeout } from "node:timers/promises";
import type { Sound } from "../../core/manifest/manifest.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import type { WavHeader } from "../../core/wav/wav-header.ts";
import { isMissing } from "../disk/atomic-file.ts";
import { REAL_TIMERS, type Timers } from "../concurrency/timers.ts";
import type { PackageSource, SoundStream } from "../packages/package-source.ts";
import { PartFile, readPieces } from "../disk/part-file.ts";
import { retryAfterOfError, statusOfError } from "../relay/relay-port.ts";
import { SoundCheck } from "../packages/sound-check.ts";
import { withDeadline } from "../concurrency/with-deadline.ts";

/** An attempt that receives less made no progress. */
const PROGRESS_BYTES = 1024 ** 2;
const MAX_ATTEMPTS_WITHOUT_PROGRESS = 4;
/** The first backoff; each attempt in a row without progress doubles it. */
const PAUSE_MS = 250;
/** Caps the relay's Retry-After; its rate limits count per minute. */
const MAX_PAUSE_MS = 60_000;

export interface RetryPolicy {
  /** The timeout of one read: a source that is silent for this long is requested again. */
  readonly silenceLimitMs: number;
  /** Measures the silence. */
  readonly timers: Timers;
  /** Waits between two attempts; rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A timeout of 30 s, and real delays. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  silenceLimitMs: 30_000,
  timers: REAL_TIMERS,
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

export interface DownloadOptions {
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
  /** Called with the bytes received so far; fewer than before after a restart. */
  readonly onBytes: (seenBytes: number) => void;
}

/** A source failed to deliver a whole sound. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  /** The relay's HTTP status; undefined for a connection error. */
  readonly status: number | undefined;
  /** 0 where the relay sent none. */
  readonly retryAfterSeconds: number;

  constructor(
    sentence: string,
    options: ErrorOptions & {
      readonly status?: number | undefined;
      readonly retryAfterSeconds?: number | undefined;
    },
  ) {
    super(sentence, options);
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds ?? 0;
  }

  get isRetryable(): boolean {
    return (
      this.status === undefined || this.status >= 500 || this.status === 408 || this.status === 429
    );
  }
}

/** A complete sound that passed its checks. */
export interface ReceivedSound {
  readonly header: WavHeader;
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
  const present = await readPresentSound(sound, path);
  if (present !== undefined) {
    options.onBytes(sound.bytes ?? 0);
    return { header: present, finish: async () => undefined };
  }
  const part = await PartFile.open(path);
  try {
    const header = await new Download(source, sound, part, options).run();
    return { header, finish: () => part.finish(path) };
  } catch (error) {
    if (error instanceof Refusal || !isVerifiable(sound)) await part.discard();
    else await part.keep();
    throw error;
  }
}

/** Verifying a file takes both its size and its checksum. */
function isVerifiable(sound: Sound): sound is Sound & { readonly bytes: number } {
  return sound.bytes !== undefined && sound.sha256 !== undefined;
}

async function readPresentSound(sound: Sound, path: string): Promise<WavHeader | undefined> {
  if (!isVerifiable(sound) || !(await isFileOfSize(path, sound.bytes))) return undefined;
  const check = new SoundCheck(sound, sound.bytes);
  const file = await open(path);
  try {
    for await (const piece of readPieces(file, sound.bytes)) check.push(piece);
    return check.end();
  } catch (error) {
    // Another file or a corrupt one: the download replaces it.
    if (error instanceof Refusal) return undefined;
    throw error;
  } finally {
    await file.close();
  }
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

/** Fills one part file. */
class Download {
  readonly #source: PackageSource;
  readonly #sound: Sound;
  readonly #part: PartFile;
  readonly #options: DownloadOptions;
  #check: SoundCheck | undefined;

  constructor(source: PackageSource, sound: Sound, part: PartFile, options: DownloadOptions) {
    this.#source = source;
    this.#sound = sound;
    this.#part = part;
    this.#options = options;
  }

  async run(): Promise<WavHeader> {
    let isResumed = false;
    try {
      isResumed = await this.#resume();
      return await this.#complete();
    } catch (error) {
      if (!(error instanceof Refusal) || !isResumed) throw error;
    }
    // The resumed bytes were corrupt, after a power cut for example: start over.
    this.#check = undefined;
    return this.#complete();
  }

  /** Returns whether there was a partial file to resume. */
  async #resume(): Promise<boolean> {
    if (!isVerifiable(this.#sound)) return false;
    const check = new SoundCheck(this.#sound, this.#sound.bytes);
    try {
      await this.#part.readBack(this.#sound.bytes, (piece) => check.push(piece));
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
    if (check.seenBytes === 0) return false;
    this.#check = check;
    this.#options.onBytes(check.seenBytes);
    return true;
  }

  async #complete(): Promise<WavHeader> {
    let attemptsWithoutProgress = 0;
    while (this.#check === undefined || this.#check.missingBytes > 0) {
      const before = this.#check?.seenBytes ?? 0;
      try {
        await this.#receive(before);
      } catch (error) {
        if (!(error instanceof FetchFailure) || !error.isRetryable) throw error;
        const gained = (this.#check?.seenBytes ?? 0) - before;
        attemptsWithoutProgress = gained >= PROGRESS_BYTES ? 0 : attemptsWithoutProgress + 1;
        if (attemptsWithoutProgress === MAX_ATTEMPTS_WITHOUT_PROGRESS) throw error;
        const { retryPolicy, signal } = this.#options;
        await retryPolicy.pause(pauseMs(attemptsWithoutProgress, error), signal);
      }
    }
    return this.#check.end();
  }

  /** Receives the rest of the sound from one connection. */
  async #receive(startByte: number): Promise<void> {
    const connection = new AbortController();
    const { signal } = connection;
    try {
      const stream = await this.#receiveInTime(
        this.#source.open(this.#sound, { startByte, signal }),
      );
      await this.#readStream(stream, await this.#checkFor(stream, startByte));
    } catch (error) {
      // Abort one event-loop turn later: in the turn of a body's last byte Node's socket has no error
      // listener, and an abort would crash the process.
      setImmediate(() => connection.abort(error));
      throw error;
    }
  }

  async #checkFor(stream: SoundStream, startByte: number): Promise<SoundCheck> {
    if (this.#check !== undefined && stream.startByte === startByte) return this.#check;
    if (stream.startByte !== 0) {
      const sentence = `${this.#sound.file}: the relay sent another part than requested.`;
      throw new FetchFailure(sentence, {});
    }
    await this.#part.restart();
    this.#check = new SoundCheck(this.#sound, stream.fileBytes);
    return this.#check;
  }

  async #readStream(stream: SoundStream, check: SoundCheck): Promise<void> {
    const pieces = stream.body[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#receiveInTime(pieces.next());
      if (next.done === true) break;
      check.push(next.value);
      await this.#part.write(next.value);
      this.#options.onBytes(check.seenBytes);
    }
    if (check.missingBytes > 0) {
      throw new FetchFailure(`${this.#sound.file}: the connection ended too early.`, {});
    }
  }

  /** Applies the timeout; rejects with a `FetchFailure`. */
  async #receiveInTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { signal, retryPolicy } = this.#options;
    const { silenceLimitMs: ms, timers } = retryPolicy;
    const late = () => new Error(`${this.#sound.file}: no data for ${ms / 1000} s.`);
    try {
      return await withDeadline(answer, { ms, late, signal, timers });
    } catch (error) {
      signal.throwIfAborted();
      const sentence = sentenceOf(error);
      throw new FetchFailure(sentence, {
        cause: error,
        status: statusOfError(error),
        retryAfterSeconds: retryAfterOfError(error),
      });
    }
  }
}

function pauseMs(attemptsWithoutProgress: number, { retryAfterSeconds }: FetchFailure): number {
  const requestedMs = Math.min(retryAfterSeconds * 1000, MAX_PAUSE_MS);
  return Math.max(PAUSE_MS * 2 ** attemptsWithoutProgress, requestedMs);
}
