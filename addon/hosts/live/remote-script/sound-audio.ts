import { open, realpath } from "node:fs/promises";
import { basename } from "node:path";
import { readWavHeaderAt } from "../../../../core/audio/read-wav-header-at.ts";
import { readerOf } from "../../../disk/read-at.ts";
import { withoutWindowsPrefix } from "../../live-path.ts";
import type { SoundAudio } from "./plan-request.ts";

/**
 * Reads what the plan needs of a file: its path without links, its frames and its rate.
 * @throws {Refusal} when it isn't a usable WAV (rule U4)
 * @throws {unknown} the disk's error
 */
export async function readSoundAudio(path: string): Promise<SoundAudio> {
  const resolved = await resolvePath(path);
  await using file = await open(resolved);
  const { size } = await file.stat();
  const { frames, sampleRateHz } = await readWavHeaderAt(readerOf(file), size, basename(path));
  return { path: resolved, frames, sampleRateHz };
}

/** Returns a path without links. */
export async function resolvePath(path: string): Promise<string> {
  return withoutWindowsPrefix(await realpath(withoutWindowsPrefix(path)));
}
