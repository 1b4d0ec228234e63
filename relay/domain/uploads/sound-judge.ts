import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { WavHeaderReader } from "../../../core/audio/wav-header-reader.ts";
import type { RunningHash } from "../../../core/audio/running-hash.ts";
import type { Digest } from "../ports.ts";

/** The refusal of another size than the announced one. */
export function sizeDiffers(sound: AnnouncedSound, got: number): Refusal {
  return refusal("SIZE_DIFFERS", { file: sound.file, got, announced: sound.bytes });
}

/** Judges a sound by size, header and checksum while its bytes arrive (rules U1–U4). The first failure decides. */
export class SoundJudge {
  readonly #sound: AnnouncedSound;
  readonly #header: WavHeaderReader;
  readonly #digest: RunningHash;
  #receivedBytes: number;
  #sawAll: boolean;

  /** @param storedBytes the bytes that are stored already, which it doesn't see */
  constructor(digest: Digest, sound: AnnouncedSound, storedBytes = 0) {
    this.#sawAll = storedBytes === 0;
    this.#sound = sound;
    this.#header = new WavHeaderReader(sound.bytes, sound.file);
    this.#digest = digest.start(sound.bytes);
    this.#receivedBytes = storedBytes;
  }

  /** True if it has seen the sound from its first byte, and not judged its end yet. Otherwise it judges only the size. */
  get sawAll(): boolean {
    return this.#sawAll && this.#digest.isLost !== true;
  }

  /** Number of bytes of the whole sound so far, stored ones included. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Returns a promise only if the hash is behind: see `RunningHash`. @throws {Refusal} 422 SIZE_DIFFERS, `WAV_…` */
  push(piece: Uint8Array): Promise<void> | undefined {
    this.#receivedBytes += piece.byteLength;
    if (this.#receivedBytes > this.#sound.bytes)
      throw sizeDiffers(this.#sound, this.#receivedBytes);
    if (!this.sawAll) return undefined;
    this.#header.push(piece);
    return this.#digest.update(piece);
  }

  /**
   * Judges the end, after the last byte. Resolves with false if it hasn't seen all: then its stored bytes must be judged.
   * @throws {Refusal} 422 SIZE_DIFFERS, CHECKSUM_DIFFERS, `WAV_…`
   */
  async end(): Promise<boolean> {
    if (this.#receivedBytes !== this.#sound.bytes) {
      throw sizeDiffers(this.#sound, this.#receivedBytes);
    }
    if (!this.sawAll) return false;
    // The hash can be read only once.
    this.#sawAll = false;
    this.#header.end();
    requireChecksum(this.#sound, await this.#digest.hex());
    return true;
  }
}

/**
 * Judges header and checksum of a sound by its stored bytes, without blocking the event loop.
 * @throws {Refusal} 422 CHECKSUM_DIFFERS, `WAV_…`
 */
export async function judgeStored(
  digest: Digest,
  sound: AnnouncedSound,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const header = new WavHeaderReader(sound.bytes, sound.file);
  const running = digest.start(sound.bytes);
  for await (const piece of pieces) {
    header.push(piece);
    await running.update(piece);
  }
  header.end();
  requireChecksum(sound, await running.hex());
}

function requireChecksum({ file, sha256 }: AnnouncedSound, got: string): void {
  if (got !== sha256) throw refusal("CHECKSUM_DIFFERS", { file });
}
