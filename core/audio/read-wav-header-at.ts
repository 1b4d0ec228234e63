import { Refusal } from "../protocol/refusal.ts";
import type { WavHeader } from "./wav-header.ts";
import { WavHeaderWalk } from "./wav-header-reader.ts";

const FIRST_WINDOW_BYTES = 4096;
const LARGEST_WINDOW_BYTES = 65_536;

/** Reads up to `length` bytes at `offset`, always inside the announced file. No bytes means end of file. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/**
 * Reads a WAV's header by random access (rule U4), usually with one read of 4 KiB. Skips large chunks;
 * windows grow to 64 KiB if many small chunks precede the audio.
 * @param fileBytes size of the whole file; `data` must lie inside it
 * @param fileName for the sentence of a refusal
 * @throws {Refusal} a `WAV_…` of rule U4; errors of `readAt` propagate
 */
export async function readWavHeaderAt(
  readAt: ReadAt,
  fileBytes: number,
  fileName: string,
): Promise<WavHeader> {
  const walk = new WavHeaderWalk(fileBytes, fileName);
  let windowBytes = FIRST_WINDOW_BYTES;
  while (walk.outcome === undefined && walk.wantedOffset < fileBytes) {
    const offset = walk.wantedOffset;
    const window = await readAt(offset, Math.min(windowBytes, fileBytes - offset));
    if (window.byteLength === 0) break;
    walk.show(window, offset);
    windowBytes = Math.min(windowBytes * 2, LARGEST_WINDOW_BYTES);
  }
  const outcome = walk.end();
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}
