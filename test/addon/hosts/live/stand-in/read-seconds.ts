import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Refusal } from "../../../../../core/protocol/refusal.ts";
import { WavHeaderWalk } from "../../../../../core/audio/wav-header-reader.ts";

const WINDOW_BYTES = 4096;

/**
 * How long a WAV plays, in seconds.
 * @throws {Error} where it is not there or no WAV
 */
export function readSeconds(path: string): number {
  const file = openSync(path, "r");
  try {
    const sizeBytes = fstatSync(file).size;
    const walk = new WavHeaderWalk(sizeBytes, path);
    const window = Buffer.alloc(WINDOW_BYTES);
    while (walk.outcome === undefined && walk.wantedOffset < sizeBytes) {
      const offset = walk.wantedOffset;
      const count = readSync(file, window, 0, WINDOW_BYTES, offset);
      if (count === 0) break;
      walk.show(window.subarray(0, count), offset);
    }
    const header = walk.end();
    if (header instanceof Refusal) throw header;
    return header.frames / header.sampleRateHz;
  } finally {
    closeSync(file);
  }
}
