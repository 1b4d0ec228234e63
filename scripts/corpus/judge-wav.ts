import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../../core/protocol/refusal.ts";
import { readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { WavHeaderReader } from "../../core/audio/wav-header-reader.ts";

/** A file's header, or its refusal. */
export type Judgment = WavHeader | Refusal;

/** Chunk sizes in which every file is streamed, in bytes; infinite is the whole file at once. */
const PIECE_BYTES = [1, 2, 3, 7, 64, 4096, 65_536, Number.POSITIVE_INFINITY];

/**
 * Reads a WAV's header with both drivers, the streaming one with several chunk sizes.
 * @throws {Error} if the results differ
 */
export async function judgeWav(bytes: Uint8Array, fileName: string): Promise<Judgment> {
  const readAt = (offset: number, length: number): Promise<Uint8Array> =>
    Promise.resolve(bytes.subarray(offset, offset + length));
  const judgment = await settled(() => readWavHeaderAt(readAt, bytes.length, fileName));
  for (const pieceBytes of PIECE_BYTES) {
    const streamed = await settled(() => readStreamed(bytes, fileName, pieceBytes));
    if (!isDeepStrictEqual(plain(streamed), plain(judgment))) {
      throw new Error(
        `pieces of ${pieceBytes} bytes give ${describe(streamed)}, random access ${describe(judgment)}`,
      );
    }
  }
  return judgment;
}

/** A short description of a judgment. */
export function describe(judgment: Judgment): string {
  if (judgment instanceof Refusal) return `${judgment.code} (${judgment.message})`;
  const { sampleRateHz, channels, bitsPerSample, encoding, frames } = judgment;
  return `${sampleRateHz} Hz, ${channels} ch, ${bitsPerSample}-bit ${encoding}, ${frames} frames`;
}

function readStreamed(bytes: Uint8Array, fileName: string, pieceBytes: number): WavHeader {
  const reader = new WavHeaderReader(bytes.length, fileName);
  for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
    const header = reader.push(bytes.subarray(offset, offset + pieceBytes));
    if (header) return header;
  }
  return reader.end();
}

async function settled(read: () => WavHeader | Promise<WavHeader>): Promise<Judgment> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function plain(judgment: Judgment): object {
  return judgment instanceof Refusal ? { code: judgment.code, error: judgment.message } : judgment;
}
