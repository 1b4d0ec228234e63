import { readPiece } from "../send/sound-bytes.ts";
import { type AiffHeader, aiffToWavBytes } from "../../core/audio/aiff-header.ts";
import { readAiffAt } from "../../core/audio/read-aiff-at.ts";
import { wavHeaderBytes } from "../../core/audio/wav-header.ts";

/** Samples that are reordered at a time, so that the page stays responsive. */
const PIECE_SAMPLES = 524_288;

/** An AIFF as WAV, with the header it had. */
export interface ConvertedAiff {
  readonly wav: Blob;
  readonly header: AiffHeader;
}

/**
 * Converts an AIFF or AIFF-C to WAV by reordering its bytes; no browser but Safari decodes them.
 * @throws {Refusal} with the reason if it is compressed, broken or has a format that a WAV can't have here
 */
export async function aiffToWav(file: Blob, name: string): Promise<ConvertedAiff> {
  const readAt = (offset: number, length: number) => readPiece(file, offset, length);
  const header = await readAiffAt(readAt, file.size, name);
  const { frames, sampleBytes, dataOffset, wav: format } = header;
  const parts: Uint8Array<ArrayBuffer>[] = [wavHeaderBytes(format, frames)];
  const endOffset = dataOffset + frames * format.channels * sampleBytes;
  const pieceBytes = PIECE_SAMPLES * sampleBytes;
  for (let offset = dataOffset; offset < endOffset; offset += pieceBytes) {
    const bytes = await readPiece(file, offset, Math.min(pieceBytes, endOffset - offset));
    parts.push(aiffToWavBytes(header, bytes));
  }
  const dataBytes = (frames * format.channels * format.bitsPerSample) / 8;
  if (dataBytes % 2 === 1) parts.push(new Uint8Array(1));
  return { wav: new Blob(parts, { type: "audio/wav" }), header };
}
