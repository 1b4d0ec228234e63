import { type Refusal, refusal } from "../protocol/refusal.ts";
import { blockAlign, type WavFormat } from "./read-format.ts";
import type { WavHeader } from "./wav-header.ts";

/**
 * From here on a `data` size that the file does not hold is a placeholder of a program that wrote
 * to a pipe and could not come back: 0x7FFFF000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF and their
 * likes, some of them less the bytes before the audio.
 */
const PLACEHOLDER_SIZE = 0x7fff_0000;

/** Where a `data` chunk lies in its file. */
export interface DataPlace {
  /** Offset of the first audio byte. */
  readonly dataOffset: number;
  /** What the chunk says of its size; more than 0. */
  readonly dataBytes: number;
  readonly fileBytes: number;
}

/**
 * Decides on a `data` chunk that follows a usable format (rule U4): it must lie wholly inside the
 * file and hold at least one frame. Bytes behind the last whole frame are left out of the count.
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
