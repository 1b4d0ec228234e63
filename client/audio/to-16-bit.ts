import { findKeptChunks } from "../../core/audio/plan-wav-repair.ts";
import { SixteenBit } from "../../core/audio/to-16-bit.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { isDeep } from "../../core/guess/split-package.ts";
import { readerOf } from "../send/sound-bytes.ts";
import { rewriteAsWav } from "./write-wav.ts";

/** A sound as 16 bit. */
export interface SixteenBitSound {
  /** The same Blob if it has no more bits. A file keeps its name. */
  readonly wav: Blob;
  /** Number of samples that were beyond full scale and are clipped. */
  readonly clipped: number;
}

/** Converts a WAV that a relay accepts to 16 bit (rule G20). Its other chunks, such as loop points, stay. */
export async function to16Bit(
  file: Blob,
  header: WavHeader,
  signal?: AbortSignal,
): Promise<SixteenBitSound> {
  if (!isDeep(header)) return { wav: file, clipped: 0 };
  const { frames, dataOffset, bitsPerSample } = header;
  const kept = await findKeptChunks(readerOf(file), file.size);
  const converter = new SixteenBit(header);
  const wav = { ...header, encoding: "pcm", bitsPerSample: 16 } as const;
  const sampleBytes = bitsPerSample / 8;
  const audio = { samples: "little", sampleBytes, wav, dataOffset, frames } as const;
  const converted = await rewriteAsWav(file, audio, kept, (bytes) => {
    signal?.throwIfAborted();
    return converter.convert(bytes);
  });
  const named =
    file instanceof File ? new File([converted], file.name, { type: converted.type }) : converted;
  return { wav: named, clipped: converter.clipped };
}
