import type { HashWorker } from "../parts/hash-worker.ts";
import { loadHashWorker, loadPortableHash } from "../parts/parts.ts";
import { unreadableSound } from "../wire/client-error.ts";
import { hexOf } from "../wire/random-id.ts";
import {
  fileNameOf,
  hashInPieces,
  type HashSettings,
  type HashWatch,
  readPiece,
} from "./sound-bytes.ts";

/** Largest sound that the browser hashes on the page: it copies the file first, which blocks the page. */
const ON_PAGE_MAX_BYTES = 1024 ** 2;
/** Piece size for a hash of the platform. */
const PIECE_BYTES = 1024 ** 2;
/** Piece size for plain JavaScript: a few milliseconds each, so that the page stays responsive. */
const PORTABLE_PIECE_BYTES = 256 * 1024;

/**
 * Hashes sounds off the main thread: small ones by the browser, others in a Worker, and piece by piece on this
 * thread where neither may run. It keeps its Worker until `end`.
 */
export class Hasher {
  readonly #settings: HashSettings;
  #worker: Promise<HashWorker | undefined> | undefined;

  constructor(settings: HashSettings = {}) {
    this.#settings = settings;
  }

  /**
   * Returns the SHA-256 of a sound as lowercase hex.
   * @throws {ClientError} `SOUND_UNREADABLE`; the reason of `signal` when that aborts
   */
  async hash(sound: Blob, watch: HashWatch = {}): Promise<string> {
    watch.signal?.throwIfAborted();
    const { sha256 } = this.#settings;
    if (sha256 !== undefined) return hashInPieces(sound, sha256(), PIECE_BYTES, watch);
    if (browserHash() !== undefined && sound.size <= ON_PAGE_MAX_BYTES) {
      return hashInBrowser(sound, watch);
    }
    const inWorker = await this.#hashInWorker(sound, watch);
    if (inWorker !== undefined) return inWorker;
    const { portableSha256 } = await loadPortableHash();
    return hashInPieces(sound, portableSha256(), PORTABLE_PIECE_BYTES, watch);
  }

  /** Ends the Worker. */
  end(): void {
    void this.#worker?.then((worker) => worker?.end());
    this.#worker = undefined;
  }

  /** Hashes in the Worker; undefined if no Worker can run or hash here. */
  async #hashInWorker(sound: Blob, watch: HashWatch): Promise<string | undefined> {
    if (Reflect.get(globalThis, "Worker") === undefined) return undefined;
    const { startHashWorker } = await loadHashWorker();
    this.#worker ??= startHashWorker(this.#settings.workerUrl);
    const worker = await this.#worker;
    const outcome = await worker?.hash(sound, watch);
    if (outcome === "unreadable") throw unreadableSound(undefined, fileNameOf(sound));
    if (outcome === "failed") this.#worker = Promise.resolve(undefined);
    return outcome === "failed" ? undefined : outcome?.sha256;
  }
}

/**
 * Hashes one sound as `Hasher` does.
 * @throws {ClientError} `SOUND_UNREADABLE`; the reason of `signal` when that aborts
 */
export async function hashSound(
  sound: Blob,
  { sha256, workerUrl, ...watch }: HashSettings & HashWatch = {},
): Promise<string> {
  const hasher = new Hasher({ sha256, workerUrl });
  try {
    return await hasher.hash(sound, watch);
  } finally {
    hasher.end();
  }
}

/** Returns the browser's hash; undefined on pages that were loaded over plain http. */
function browserHash(): Pick<SubtleCrypto, "digest"> | undefined {
  return crypto.subtle;
}

async function hashInBrowser(sound: Blob, { onProgress, signal }: HashWatch): Promise<string> {
  const bytes = await readPiece(sound, 0, sound.size);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  signal?.throwIfAborted();
  onProgress?.(sound.size);
  return hexOf(new Uint8Array(digest));
}
