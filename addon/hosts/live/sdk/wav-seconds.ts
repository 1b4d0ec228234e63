import { open } from "node:fs/promises";
import { basename } from "node:path";
import { readWavHeaderAt } from "../../../../core/audio/read-wav-header-at.ts";
import { readerOf } from "../../../disk/read-at.ts";

/** Returns how long a WAV plays, in seconds; undefined where it can't be read. */
export async function readWavSeconds(path: string): Promise<number | undefined> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const { frames, sampleRateHz } = await readWavHeaderAt(readerOf(file), size, basename(path));
    return frames / sampleRateHz;
  } catch {
    return undefined;
  }
}
