import { readFile } from "node:fs/promises";
import { readSamples } from "../../fixtures/read-samples.ts";

/** A rendered loop's frames and its loudest sample, where 1 is full scale. */
export async function readLoop(file: string) {
  const { header, channels } = await readSamples(await readFile(file), file);
  const levels = channels.map((samples) =>
    samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0),
  );
  return {
    frames: header.frames,
    sampleRateHz: header.sampleRateHz,
    loudest: Math.max(...levels),
  };
}
