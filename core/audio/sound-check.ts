import type { Sound } from "../manifest/manifest.ts";
import { refusal } from "../protocol/refusal.ts";
import type { WavHeader } from "./wav-header.ts";
import { WavHeaderReader } from "./wav-header-reader.ts";
import type { RunningHash, StartHash } from "./running-hash.ts";

/** The proof of a sound's bytes. */
export type SoundDigest = Required<Pick<Sound, "bytes" | "sha256">>;

/** Checks a sound's size, SHA-256 and WAV header while its bytes stream through (rules F3, U4). */
export class SoundCheck {
  readonly #sound: Sound;
  readonly #fileBytes: number;
  readonly #hash: RunningHash;
  readonly #header: WavHeaderReader;
  #seenBytes = 0;
  #sha256 = "";

  /**
   * @param fileBytes size of the whole file, according to its source
   * @throws {Refusal} SIZE_DIFFERS when the announced size differs
   */
  constructor(sound: Sound, fileBytes: number, startHash: StartHash) {
    this.#sound = sound;
    this.#fileBytes = fileBytes;
    this.#hash = startHash(fileBytes);
    this.#header = new WavHeaderReader(fileBytes, sound.file);
    if (sound.bytes !== undefined && sound.bytes !== fileBytes) throw this.#sizeDiffers(fileBytes);
  }

  /** True once the hash is lost: only a new check of all bytes can prove them. */
  get isLost(): boolean {
    return this.#hash.isLost === true;
  }

  get fileBytes(): number {
    return this.#fileBytes;
  }

  get seenBytes(): number {
    return this.#seenBytes;
  }

  /** Size and SHA-256 of the whole sound, once `end` has checked it. */
  get digest(): SoundDigest {
    return { bytes: this.#seenBytes, sha256: this.#sha256 };
  }

  get missingBytes(): number {
    return this.#fileBytes - this.#seenBytes;
  }

  /** The WAV header, once enough bytes were pushed. */
  get header(): WavHeader | undefined {
    return this.#header.header;
  }

  /**
   * Checks the next bytes. Returns a promise only if the hash is behind (see `RunningHash`).
   * @throws {Refusal} when the header breaks rule U4, or there are more bytes than announced
   */
  push(piece: Uint8Array): Promise<void> | undefined {
    this.#seenBytes += piece.byteLength;
    if (this.#seenBytes > this.#fileBytes) throw this.#sizeDiffers(this.#seenBytes);
    this.#header.push(piece);
    return this.#hash.update(piece);
  }

  /**
   * Checks the whole sound and resolves with its header.
   * @throws {Refusal} when bytes are missing, the header breaks rule U4, or an announced SHA-256 differs
   */
  async end(): Promise<WavHeader> {
    if (this.missingBytes > 0) throw this.#sizeDiffers(this.#seenBytes);
    const header = this.#header.end();
    this.#sha256 = await this.#hash.hex();
    if (this.#sound.sha256 !== undefined && this.#sound.sha256 !== this.#sha256) {
      throw refusal("CHECKSUM_DIFFERS", { file: this.#sound.file });
    }
    return header;
  }

  #sizeDiffers(got: number): Error {
    const { file, bytes } = this.#sound;
    return refusal("SIZE_DIFFERS", { file, got, announced: bytes ?? this.#fileBytes });
  }
}
