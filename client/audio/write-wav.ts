import type { AiffHeader } from "../../core/audio/aiff-header.ts";
import type { WavRepair } from "../../core/audio/plan-wav-repair.ts";
import { readAiffAt } from "../../core/audio/read-aiff-at.ts";
import { areWavSamples, type FileAudio, toWavSamples } from "../../core/audio/samples.ts";
import { blockAlign, CHUNK_HEADER_BYTES, wavHeaderBytes } from "../../core/audio/wav-header.ts";
import { readerOf, readPiece } from "../send/sound-bytes.ts";

/** Decoded sound in Web Audio's range, from -1 to 1. */
export interface Samples {
  /** One or two, of equal length. */
  readonly channels: readonly Float32Array[];
  readonly sampleRateHz: number;
}

const BYTES_PER_SAMPLE = 3;
/** Number of frames written before the page gets to run. */
const PIECE_FRAMES = 262_144;
const FULL_SCALE = 8_388_608;

/** Writes samples as a 24-bit WAV. Clips samples above full scale. */
export async function writeWav({ channels, sampleRateHz }: Samples): Promise<Blob> {
  const frames = channels[0]?.length ?? 0;
  const format = {
    encoding: "pcm",
    channels: channels.length === 1 ? 1 : 2,
    sampleRateHz,
    bitsPerSample: 24,
  } as const;
  const parts = [wavHeaderBytes(format, frames)];
  for (let from = 0; from < frames; from += PIECE_FRAMES) {
    const pieces = channels.map((channel) => channel.subarray(from, from + PIECE_FRAMES));
    parts.push(interleave(pieces));
    await new Promise((resolve) => setTimeout(resolve));
  }
  parts.push(paddingOf(frames * blockAlign(format)));
  return new Blob(parts, { type: "audio/wav" });
}

function interleave(channels: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const frames = channels[0]?.length ?? 0;
  const bytes = new Uint8Array(frames * channels.length * BYTES_PER_SAMPLE);
  let at = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    for (const channel of channels) {
      const scaled = Math.round((channel[frame] ?? 0) * FULL_SCALE);
      const sample = Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, scaled));
      bytes[at] = sample;
      bytes[at + 1] = sample >> 8;
      bytes[at + 2] = sample >> 16;
      at += BYTES_PER_SAMPLE;
    }
  }
  return bytes;
}

/** Number of samples that are converted at a time, so that the page stays responsive. */
const PIECE_SAMPLES = 524_288;

/** An AIFF as WAV, with the AIFF's header. */
export interface ConvertedAiff {
  readonly wav: Blob;
  readonly header: AiffHeader;
}

/**
 * Converts an AIFF or AIFF-C to WAV by reordering its bytes; no browser but Safari decodes them.
 * @throws {Refusal} with the reason if it is compressed, broken or has a format that a WAV can't have here
 */
export async function aiffToWav(file: Blob, name: string): Promise<ConvertedAiff> {
  const header = await readAiffAt(readerOf(file), file.size, name);
  return { wav: await rewriteAsWav(file, header), header };
}

/**
 * Writes a WAV of the audio in a file. Samples that need no change are not read.
 * @param kept other chunks of the file, which come after the audio
 * @param convert converts whole frames in another way than the file's format needs
 */
export async function rewriteAsWav(
  file: Blob,
  audio: FileAudio,
  kept: WavRepair["kept"] = [],
  convert?: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<Blob> {
  const { frames, sampleBytes, dataOffset, wav: format } = audio;
  const chunks = kept.flatMap(({ bodyOffset, bodyBytes }) => [
    file.slice(bodyOffset - CHUNK_HEADER_BYTES, bodyOffset + bodyBytes),
    paddingOf(bodyBytes),
  ]);
  const chunkBytes = kept.map(({ bodyBytes }) => CHUNK_HEADER_BYTES + bodyBytes + (bodyBytes % 2));
  const moreBytes = chunkBytes.reduce((sum, bytes) => sum + bytes, 0);
  const parts: (Blob | Uint8Array<ArrayBuffer>)[] = [wavHeaderBytes(format, frames, moreBytes)];
  const endOffset = dataOffset + frames * format.channels * sampleBytes;
  if (convert === undefined && areWavSamples(audio)) {
    parts.push(file.slice(dataOffset, endOffset));
  } else {
    const pieceBytes = PIECE_SAMPLES * sampleBytes;
    for (let offset = dataOffset; offset < endOffset; offset += pieceBytes) {
      const bytes = await readPiece(file, offset, Math.min(pieceBytes, endOffset - offset));
      // A Blob may be on disk, so that memory holds one piece.
      parts.push(new Blob([convert?.(bytes) ?? toWavSamples(audio, bytes)]));
    }
  }
  parts.push(paddingOf(frames * blockAlign(format)), ...chunks);
  return new Blob(parts, { type: "audio/wav" });
}

/** Returns the zero byte that follows an odd number of bytes. */
function paddingOf(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes % 2);
}
