import { Refusal } from "../protocol/refusal.ts";
import type { WavHeader } from "./wav-header.ts";
import { WavHeaderWalk } from "./wav-header-walk.ts";

const FIRST_WINDOW_BYTES = 4096;
const LARGEST_WINDOW_BYTES = 65_536;

/**
 * Reads `length` bytes at `offset`; it is never asked for bytes outside the file. Fewer may come;
 * none at all means that the file ends here.
 */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/**
 * Reads a WAV's header from a file that can be read anywhere (rule U4): most often with one read of
 * 4 KiB. Big chunks are jumped over; where many small ones come first the windows grow to 64 KiB.
 * @param fileBytes size of the whole file: `data` must lie inside it.
 * @param fileName named by the sentence of a refusal.
 * @throws {Refusal} a `WAV_…` of rule U4; whatever `readAt` throws goes through.
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
