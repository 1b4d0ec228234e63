import { open } from "node:fs/promises";
import { smallWav } from "../../../../wav-bytes.ts";

export interface AudioOfSound {
  readonly frames: number;
  readonly sampleRateHz: number;
}

/** Writes a mono WAV whose silence takes no room on the disk; 4 s at 8 kHz by default. */
export async function writeSilence(
  path: string,
  { frames, sampleRateHz }: AudioOfSound = { frames: 32_000, sampleRateHz: 8000 },
): Promise<void> {
  const bytes = smallWav({ frames: 0, sampleRateHz });
  bytes.writeUInt32LE(36 + 2 * frames, 4);
  bytes.writeUInt32LE(2 * frames, 40);
  await using file = await open(path, "w");
  await file.writeFile(bytes);
  await file.truncate(bytes.length + 2 * frames);
}
