import { createHash } from "node:crypto";
import type { Sound } from "../../core/manifest/manifest.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import type { WavHeader } from "../../core/wav/wav-header.ts";
import { WavHeaderReader } from "../../core/wav/wav-header-reader.ts";

/** Checks a sound's bytes as they pass: size, SHA-256 and WAV header (rules F3, U4). */
export class SoundCheck {
  readonly #sound: Sound;
  readonly #fileBytes: number;
  readonly #hash = createHash("sha256");
  readonly #header: WavHeaderReader;
  #seenBytes = 0;

  /**
   * @param fileBytes size of the whole file, as its source tells it
   * @throws {Refusal} SIZE_DIFFERS when that is not the announced size
   */
  constructor(sound: Sound, fileBytes: number) {
    this.#sound = sound;
    this.#fileBytes = fileBytes;
    this.#header = new WavHeaderReader(fileBytes, sound.file);
    if (sound.bytes !== undefined && sound.bytes !== fileBytes) throw this.#sizeDiffers(fileBytes);
  }

  get seenBytes(): number {
    return this.#seenBytes;
  }

  get missingBytes(): number {
    return this.#fileBytes - this.#seenBytes;
  }

  /** The WAV header, once enough has passed. */
  get header(): WavHeader | undefined {
    return this.#header.header;
  }

  /** @throws {Refusal} when the header is not one of rule U4, or more comes than was announced */
  push(piece: Uint8Array): void {
    this.#seenBytes += piece.byteLength;
    if (this.#seenBytes > this.#fileBytes) throw this.#sizeDiffers(this.#seenBytes);
    this.#header.push(piece);
    this.#hash.update(piece);
  }

  /**
   * Says that the last byte has passed; the SHA-256 is compared where one was announced.
   * @throws {Refusal} also for a checksum that differs
   */
  end(): WavHeader {
    if (this.missingBytes > 0) throw this.#sizeDiffers(this.#seenBytes);
    const header = this.#header.end();
    const sha256 = this.#hash.digest("hex");
    if (this.#sound.sha256 !== undefined && this.#sound.sha256 !== sha256) {
      throw refusal("CHECKSUM_DIFFERS", { file: this.#sound.file });
    }
    return header;
  }

  #sizeDiffers(got: number): Error {
    const { file, bytes } = this.#sound;
    return refusal("SIZE_DIFFERS", { file, got, announced: bytes ?? this.#fileBytes });
  }
}
