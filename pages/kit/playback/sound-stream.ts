import { decodeSamples } from "../../../core/audio/read-samples.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { blockAlign, type WavHeader } from "../../../core/audio/wav-header.ts";
import { reachOf, resample } from "./resample.ts";

/** Frames that are decoded at a time, 0.7 s at 48 kHz. */
const BLOCK_FRAMES = 32_768;
/** Blocks that are kept of a sound, if no more are needed at once: 11 s at 48 kHz, 4 MB in stereo. */
const KEPT_BLOCKS = 16;

/** A part of a sound, in its own frames. Frames outside the file are silence. */
export interface StreamSpan {
  /** Position of the first output frame; may lie between two frames. */
  readonly from: number;
  /** The file's frames for each output frame. */
  readonly step: number;
  /** Number of output frames. */
  readonly frames: number;
  /** True if the last sample is held past the file's end, so that a file that is short by rounding has no gap. */
  readonly holdsEnd: boolean;
}

/** A WAV of which only what is about to be heard is decoded (rule V19). The browser keeps the file. */
export class SoundStream {
  readonly header: WavHeader;
  readonly #file: Blob;
  /** Decoded blocks by their place, the one that was needed last at the end. */
  readonly #blocks = new Map<number, readonly Float32Array[]>();

  /** @throws {Error} with a sentence to show, if it isn't a WAV that the relay would take */
  static async open(file: Blob): Promise<SoundStream> {
    const readAt = (offset: number, length: number) => readBlob(file, offset, length);
    try {
      return new SoundStream(file, await readWavHeaderAt(readAt, file.size, "sound"));
    } catch (cause) {
      throw new Error("This file can’t be played here.", { cause });
    }
  }

  private constructor(file: Blob, header: WavHeader) {
    this.#file = file;
    this.header = header;
  }

  /** Length of the file, in seconds. */
  get duration(): number {
    return this.header.frames / this.header.sampleRateHz;
  }

  get sampleRate(): number {
    return this.header.sampleRateHz;
  }

  /** Size of the file. */
  get bytes(): number {
    return this.#file.size;
  }

  /** Decodes what a span needs. @throws {Error} if the file can't be read any more */
  async load(span: StreamSpan): Promise<void> {
    const needed = this.#blocksOf(span);
    for (const block of needed) {
      const decoded = this.#blocks.get(block) ?? (await this.#decode(block));
      this.#blocks.delete(block);
      this.#blocks.set(block, decoded);
    }
    const kept = Math.max(KEPT_BLOCKS, 2 * needed.length);
    for (const block of this.#blocks.keys()) {
      if (this.#blocks.size <= kept) break;
      this.#blocks.delete(block);
    }
  }

  /** Returns a span's samples by channel; null until it is loaded. */
  read(span: StreamSpan): readonly Float32Array<ArrayBuffer>[] | null {
    const blocks = this.#blocksOf(span);
    if (!blocks.every((block) => this.#blocks.has(block))) return null;
    const { from, step, frames, holdsEnd } = span;
    const reach = reachOf(step);
    const first = Math.floor(from) - reach;
    const end = Math.ceil(from + frames * step) + reach;
    const input = Array.from({ length: this.header.channels }, (_, channel) => {
      const samples = new Float32Array(end - first);
      for (const block of blocks) {
        const start = block * BLOCK_FRAMES;
        const decoded = this.#blocks.get(block)?.[channel];
        const piece = decoded?.subarray(Math.max(0, first - start), Math.max(0, end - start));
        if (piece !== undefined) samples.set(piece, Math.max(0, start - first));
      }
      const past = this.header.frames - first;
      if (holdsEnd && past < samples.length) samples.fill(samples[past - 1] ?? 0, past);
      return samples;
    });
    return resample(input, { from: from - first, step, frames });
  }

  #blocksOf({ from, step, frames }: StreamSpan): readonly number[] {
    const reach = reachOf(step);
    const first = Math.max(0, Math.floor(from) - reach);
    const end = Math.min(this.header.frames, Math.ceil(from + frames * step) + reach);
    const firstBlock = Math.floor(first / BLOCK_FRAMES);
    const count = Math.max(0, Math.ceil(end / BLOCK_FRAMES) - firstBlock);
    return Array.from({ length: count }, (_, index) => firstBlock + index);
  }

  async #decode(block: number): Promise<readonly Float32Array[]> {
    const { header } = this;
    const frameBytes = blockAlign(header);
    const first = block * BLOCK_FRAMES;
    const frames = Math.min(BLOCK_FRAMES, header.frames - first);
    const offset = header.dataOffset + first * frameBytes;
    return decodeSamples(await readBlob(this.#file, offset, frames * frameBytes), header);
  }
}

async function readBlob(file: Blob, offset: number, length: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
}
