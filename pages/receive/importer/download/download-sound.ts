import { SoundCheck } from "../../../../core/audio/sound-check.ts";
import type { StartHash } from "../../../../core/audio/running-hash.ts";
import type { WavHeader } from "../../../../core/audio/wav-header.ts";
import { soundPartIn } from "../../../../core/importer/sound-part.ts";
import { MAX_JSON_BYTES } from "../../../../core/limits.ts";
import { Refusal } from "../../../../core/protocol/refusal.ts";
import { RELAY_MARK } from "../../../../core/protocol/relay-mark.ts";
import { parseJson } from "../../../../core/text/parse-json.ts";
import { crc32 } from "../../../../core/zip/crc32.ts";
import type { DownloadedSound, DownloadTask, DownloadTrouble } from "./download-messages.ts";
import { BlockReader } from "./block-reader.ts";
import type { PreparedHash } from "./hash-in-worker.ts";
import { PartFile, type SyncHandle } from "./part-file.ts";

/** Bytes that are read or written at once: each call of the disk costs as much as hashing many of them. */
const BLOCK_BYTES = 1024 ** 2;
/** Number of whole downloads with wrong content after which the sound itself counts as wrong. */
const MAX_WRONG_DOWNLOADS = 2;
/** A connection that is silent for this long counts as lost (rule F3). */
const SILENCE_LIMIT_MS = 30_000;

/** The error of an attempt; `trouble` says why. */
export class DownloadError extends Error {
  override readonly name = "DownloadError";
  readonly trouble: DownloadTrouble;

  constructor(trouble: DownloadTrouble) {
    super(trouble.why);
    this.trouble = trouble;
  }
}

interface DownloadDeps {
  readonly signal: AbortSignal;
  readonly onBytes: (seenBytes: number) => void;
  /** Opens the private file. */
  readonly open: (place: DownloadTask["place"]) => Promise<SyncHandle>;
  readonly prepare: (sizeBytes: number, memoryBytes: number) => Promise<PreparedHash>;
}

/**
 * Downloads a sound into a private file and proves it on the way (rule RC5). What an earlier attempt left is hashed first, and
 * only the rest is asked for.
 * @throws {DownloadError}
 */
export async function downloadSound(
  task: DownloadTask,
  { signal, onBytes, open, prepare }: DownloadDeps,
): Promise<DownloadedSound> {
  const { startHash, release } = await prepare(task.sound.bytes, task.memoryBytes);
  try {
    const handle = await open(task.place);
    try {
      const part = new PartFile(handle, task.sound.bytes);
      return await new SoundDownload(task, { part, startHash, signal, onBytes }).run();
    } finally {
      handle.close();
    }
  } catch (error) {
    throw error instanceof DownloadError ? error : storageError(error);
  } finally {
    release();
  }
}

interface Parts {
  readonly part: PartFile;
  readonly startHash: StartHash;
  readonly signal: AbortSignal;
  readonly onBytes: (seenBytes: number) => void;
}

class SoundDownload {
  readonly #task: DownloadTask;
  readonly #parts: Parts;
  #check: SoundCheck;
  #crc32 = 0;

  constructor(task: DownloadTask, parts: Parts) {
    this.#task = task;
    this.#parts = parts;
    this.#check = this.#newCheck();
  }

  async run(): Promise<DownloadedSound> {
    // What an earlier attempt left may be damaged: it is one more chance.
    let chances = MAX_WRONG_DOWNLOADS + (this.#readBack() ? 1 : 0);
    for (;;) {
      try {
        if (this.#check.missingBytes > 0) await this.#receive();
        const header: WavHeader = await this.#check.end();
        this.#parts.part.finish();
        return { header, crc32: this.#crc32 };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#startOver();
        chances -= 1;
        if (chances === 0) throw new DownloadError({ why: "sound", sentence: error.message });
      }
    }
  }

  #newCheck(): SoundCheck {
    const { sound } = this.#task;
    return new SoundCheck(sound, sound.bytes, this.#parts.startHash);
  }

  #startOver(): void {
    this.#parts.part.restart();
    this.#check = this.#newCheck();
    this.#crc32 = 0;
  }

  /** Checks what the file has already; returns whether there was anything. */
  #readBack(): boolean {
    const { part } = this.#parts;
    if (part.seenBytes === 0) return false;
    try {
      part.readAll(new Uint8Array(BLOCK_BYTES), (piece) => this.#push(piece));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#startOver();
      return false;
    }
    return true;
  }

  #push(piece: Uint8Array): void {
    void this.#check.push(piece);
    if (this.#task.needsCrc) this.#crc32 = crc32(piece, this.#crc32);
    this.#parts.onBytes(this.#check.seenBytes);
  }

  /** Receives the rest of the sound from one connection. */
  async #receive(): Promise<void> {
    const silence = new SilenceWatch(this.#parts.signal);
    try {
      const answer = await this.#ask(silence.signal);
      await this.#writeAll(answer, silence);
    } catch (error) {
      if (error instanceof DownloadError || error instanceof Refusal) throw error;
      throw new DownloadError({ why: "network" });
    } finally {
      silence.end();
    }
    if (this.#check.missingBytes > 0) {
      throw new DownloadError({ why: "cut", code: "FILE_ENDED_EARLY" });
    }
  }

  /** Writes what comes in blocks; what has come when the connection breaks stays. */
  async #writeAll(body: ReadableStream<Uint8Array>, silence: SilenceWatch): Promise<void> {
    const blocks = new BlockReader(body, BLOCK_BYTES);
    try {
      while (await blocks.read()) {
        silence.heard();
        if (blocks.isFull) this.#write(blocks.take());
      }
    } finally {
      if (blocks.sizeBytes > 0) this.#write(blocks.take());
    }
  }

  #write(piece: Uint8Array): void {
    if (piece.byteLength > this.#check.missingBytes) {
      this.#startOver();
      throw new DownloadError({ why: "cut", code: "FILE_TOO_LONG" });
    }
    try {
      this.#parts.part.append(piece);
    } catch (error) {
      throw storageError(error);
    }
    this.#push(piece);
  }

  async #ask(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { path, headers } = this.#task;
    const startByte = this.#check.seenBytes;
    const answer = await fetch(path, {
      headers: { ...headers, ...(startByte > 0 && { range: `bytes=${startByte}-` }) },
      signal,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      mode: "same-origin",
    });
    const { status, body } = answer;
    if (!answer.headers.has(RELAY_MARK.name)) throw new DownloadError({ why: "foreign", status });
    if (status >= 300) throw await refusedWith(answer);
    const part = soundPartIn(status, (name) => answer.headers.get(name));
    if (part === undefined || body === null) throw new DownloadError({ why: "not-sound" });
    const endsAt = (part.bodyBytes ?? this.#check.missingBytes) + part.startByte;
    if (part.startByte === 0 && startByte > 0) this.#startOver();
    else if (part.startByte !== startByte || endsAt !== this.#task.sound.bytes) {
      throw new DownloadError({ why: "cut", code: "FILE_OTHER_PART" });
    }
    return body;
  }
}

async function refusedWith(answer: Response): Promise<DownloadError> {
  const text = (await answer.text()).slice(0, MAX_JSON_BYTES);
  const retryAfter = answer.headers.get("retry-after") ?? undefined;
  return new DownloadError({
    why: "refused",
    status: answer.status,
    retryAfter,
    body: parseJson(text),
  });
}

function storageError(cause: unknown): DownloadError {
  const name = cause instanceof DOMException ? cause.name : "";
  if (name === "NoModificationAllowedError") return new DownloadError({ why: "busy" });
  return new DownloadError({ why: name === "QuotaExceededError" ? "room" : "storage" });
}

/** Aborts once nothing was heard for too long. */
class SilenceWatch {
  readonly #silent = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #heardAt = performance.now();
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#silent.signal]);
    this.#timer = setInterval(() => {
      if (performance.now() - this.#heardAt > SILENCE_LIMIT_MS) this.#silent.abort();
    }, SILENCE_LIMIT_MS / 10);
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  end(): void {
    clearInterval(this.#timer);
    // A body that nobody reads any more ends its connection.
    this.#silent.abort();
  }
}
