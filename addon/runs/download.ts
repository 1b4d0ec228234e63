import { lstat, open } from "node:fs/promises";
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

/** An attempt that brings less than this made no progress. */
const PROGRESS_BYTES = 1024 ** 2;
const MAX_ATTEMPTS_WITHOUT_PROGRESS = 4;
/** Pause before the next attempt; doubled by each one in a row that made no progress. */
const PAUSE_MS = 250;
/** The longest wait that a relay can ask for; its rate limits count by the minute. */
const MAX_PAUSE_MS = 60_000;

/** How long a source is waited for. */
export interface RetryPolicy {
  /** A source that sends nothing for this long is given up on and asked again. */
  readonly silenceLimitMs: number;
  /** What measures the silence. */
  readonly timers: Timers;
  /** Waits between two tries; rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** 30 s of silence, and real pauses. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  silenceLimitMs: 30_000,
  timers: REAL_TIMERS,
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

export interface DownloadOptions {
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
  /** Told how many of the sound's bytes are there; fewer than before when it starts over. */
  readonly onBytes: (seenBytes: number) => void;
}

/** The source of a sound would not give it, or not all of it, after several tries. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  /** The HTTP status that a relay answered; undefined where the connection was the trouble. */
  readonly status: number | undefined;
  /** How long to wait before the next attempt; 0 where the relay did not say. */
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

  /** Whether it may go better a moment later. */
  get isRetryable(): boolean {
    return (
      this.status === undefined || this.status >= 500 || this.status === 408 || this.status === 429
    );
  }
}

/** A sound that is all there, and right. */
export interface ReceivedSound {
  readonly header: WavHeader;
  /** Flushes the file and gives it its final name: only then it counts. */
  finish(): Promise<void>;
}

/**
 * Brings one sound into the folder of its final path, checked on the way, under another name until it
 * is finished (rule F3). A file that is there already and is the right one is not fetched again. An
 * interrupted one is resumed where it stopped, also in a later run.
 * @throws {Refusal} when the bytes are not the announced ones, or no usable WAV
 * @throws {FetchFailure} when the source does not give them
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

/** Only size and checksum together tell whether a file is the right one. */
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
    // Another file, or a spoilt one: the right one takes its place.
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
    // What the earlier run left was no part of this file: a power cut may have spoilt it.
    this.#check = undefined;
    return this.#complete();
  }

  /** Whether there was a part to resume. */
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
    for (
      let attemptsWithoutProgress = 0;
      this.#check === undefined || this.#check.missingBytes > 0;
    ) {
      const before = this.#check?.seenBytes ?? 0;
      try {
        await this.#receive(before);
      } catch (error) {
        if (!(error instanceof FetchFailure) || !error.isRetryable) throw error;
        const gained = (this.#check?.seenBytes ?? 0) - before;
        attemptsWithoutProgress = gained >= PROGRESS_BYTES ? 0 : attemptsWithoutProgress + 1;
        if (attemptsWithoutProgress === MAX_ATTEMPTS_WITHOUT_PROGRESS) throw error;
        await this.#options.retryPolicy.pause(
          pauseMs(attemptsWithoutProgress, error),
          this.#options.signal,
        );
      }
    }
    return this.#check.end();
  }

  /** Receives from one connection, until the sound is complete. */
  async #receive(startByte: number): Promise<void> {
    const connection = new AbortController();
    const { signal } = connection;
    try {
      const stream = await this.#ask(this.#source.open(this.#sound, { startByte, signal }));
      await this.#takeIn(stream, await this.#checkFor(stream, startByte));
    } catch (error) {
      // A turn later: in the turn of a body's last byte Node leaves its socket without an error
      // listener, and an abort would end the process.
      setImmediate(() => connection.abort(error));
      throw error;
    }
  }

  async #checkFor(stream: SoundStream, startByte: number): Promise<SoundCheck> {
    if (this.#check !== undefined && stream.startByte === startByte) return this.#check;
    if (stream.startByte !== 0) {
      throw new FetchFailure(
        `${this.#sound.file}: the relay sent another part than requested.`,
        {},
      );
    }
    await this.#part.restart();
    this.#check = new SoundCheck(this.#sound, stream.fileBytes);
    return this.#check;
  }

  async #takeIn(stream: SoundStream, check: SoundCheck): Promise<void> {
    const pieces = stream.body[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#ask(pieces.next());
      if (next.done === true) break;
      check.push(next.value);
      await this.#part.write(next.value);
      this.#options.onBytes(check.seenBytes);
    }
    if (check.missingBytes > 0) {
      throw new FetchFailure(`${this.#sound.file}: the connection ended too early.`, {});
    }
  }

  /** Waits for the source, but not for ever; its errors become a `FetchFailure`. */
  async #ask<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { signal, retryPolicy } = this.#options;
    const { silenceLimitMs: ms, timers } = retryPolicy;
    const late = () => new Error(`${this.#sound.file}: no data for ${ms / 1000} s.`);
    try {
      return await withDeadline(answer, { ms, late, signal, timers });
    } catch (error) {
      signal.throwIfAborted();
      const sentence = error instanceof Error ? error.message : String(error);
      throw new FetchFailure(sentence, {
        cause: error,
        status: statusOfError(error),
        retryAfterSeconds: retryAfterOfError(error),
      });
    }
  }
}

function pauseMs(attemptsWithoutProgress: number, { retryAfterSeconds }: FetchFailure): number {
  return Math.max(
    PAUSE_MS * 2 ** attemptsWithoutProgress,
    Math.min(retryAfterSeconds * 1000, MAX_PAUSE_MS),
  );
}
