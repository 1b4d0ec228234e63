import { type Refusal, refusal } from "../protocol/refusal.ts";
import { blockAlign, type WavFormat } from "./read-format.ts";
import type { WavHeader } from "./wav-header.ts";

/**
 * A `data` size from here on that exceeds the file is the placeholder of a program that wrote to a
 * pipe: 0x7FFFF000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF and the like, some minus the header's size.
 */
const PLACEHOLDER_SIZE = 0x7fff_0000;

/** A `data` chunk's position in its file. */
export interface DataPlace {
  /** Offset of the first audio byte. */
  readonly dataOffset: number;
  /** The size in the chunk's header, above 0. */
  readonly dataBytes: number;
  readonly fileBytes: number;
}

/**
 * Validates a `data` chunk (rule U4): it must lie inside the file and have at least one whole frame.
 * A trailing partial frame isn't counted.
 */
export function judgeData(
  format: WavFormat,
  { dataOffset, dataBytes, fileBytes }: DataPlace,
  fileName: string,
): WavHeader | Refusal {
  const file = fileName;
  if (dataBytes > fileBytes - dataOffset) {
    return refusal(dataBytes >= PLACEHOLDER_SIZE ? "WAV_STREAMED" : "WAV_CUT_SHORT", { file });
  }
  const frames = Math.floor(dataBytes / blockAlign(format));
  if (frames === 0) return refusal("WAV_NO_DATA", { file });
  return { ...format, dataOffset, dataBytes, frames };
}
