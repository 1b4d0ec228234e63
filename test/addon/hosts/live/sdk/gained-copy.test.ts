import { createRequire } from "node:module";
import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type * as wavefile from "wavefile";
import { makeGainedCopy } from "../../../../../addon/hosts/live/sdk/gained-copy.ts";
import * as wav from "../../../../../fixtures/wav-bytes.ts";
import { readSamples } from "../../../../fixtures/read-samples.ts";
import { smallWav } from "../../../../wav-bytes.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const { WaveFile } = createRequire(import.meta.url)("wavefile") as typeof wavefile;
const NEVER = new AbortController().signal;
/** More than one block, and no whole number of them. */
const MANY_SAMPLES = 270_002;

/** Bytes that look like noise, the same each time. */
function noise(count: number): Uint8Array {
  let state = 1;
  return new Uint8Array(count).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

async function fileOf(bytes: Uint8Array, name = "Kick.wav"): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, bytes);
  return path;
}

async function samplesOf(path: string) {
  return readSamples(await readFile(path), basename(path));
}

/** A WAV of noise; floats stay within -1 and 1. */
function noisyWav(format: { tag?: number; channels: number; bits: number }, frames: number) {
  const data = noise(frames * format.channels * (format.bits / 8));
  if (format.tag === 3) {
    const floats = new Float32Array(frames * format.channels);
    for (const index of floats.keys()) floats[index] = Math.sin(index);
    data.set(new Uint8Array(floats.buffer));
  }
  return wav.wav([wav.chunk("fmt ", wav.format(format)), wav.chunk("data", data)]);
}

describe("every sample times the gain", () => {
  test.each([
    { channels: 1, bits: 8 },
    { channels: 2, bits: 16 },
    { channels: 1, bits: 24 },
    { channels: 2, bits: 24 },
    { channels: 2, bits: 32 },
    { tag: 3, channels: 2, bits: 32 },
  ])("[H5] of a file with $channels channels and $bits bits (tag $tag)", async (format) => {
    const frames = MANY_SAMPLES / format.channels;
    const path = await fileOf(noisyWav(format, frames));
    const before = await samplesOf(path);
    const after = await samplesOf(await makeGainedCopy(path, -24, NEVER));
    expect(after.header).toMatchObject({
      encoding: "float",
      bitsPerSample: 32,
      channels: format.channels,
      frames,
      sampleRateHz: before.header.sampleRateHz,
    });
    let furthest = 0;
    for (const [channel, samples] of before.channels.entries()) {
      for (const [frame, sample] of samples.entries()) {
        const got = after.channels[channel]?.[frame] ?? NaN;
        furthest = Math.max(furthest, Math.abs(got - sample * 10 ** (-24 / 20)));
      }
    }
    expect(furthest).toBeLessThan(1e-7);
  });

  test("[H5] is not clipped where it goes beyond full scale", async () => {
    const path = await fileOf(smallWav({ bits: 16, fill: 0x7f }));
    const { channels } = await samplesOf(await makeGainedCopy(path, 24, NEVER));
    expect(channels[0]?.[50]).toBeCloseTo((0x7f7f / 0x8000) * 10 ** 1.2, 4);
  });

  test("[H5] is found behind a big chunk and in front of another", async () => {
    const data = noise(1000);
    const path = await fileOf(
      wav.wav([
        wav.chunk("JUNK", noise(200_001)),
        wav.chunk("fmt ", wav.format({ channels: 2 })),
        wav.chunk("data", data),
        wav.chunk("LIST", noise(500)),
      ]),
    );
    const before = await samplesOf(path);
    const after = await samplesOf(await makeGainedCopy(path, 0, NEVER));
    expect(after.channels).toEqual(before.channels);
  });
});

test("[H5] the copy is a WAV that other readers take", async () => {
  const path = await fileOf(smallWav({ channels: 2, frames: 40, fill: 0x40 }));
  const read = new WaveFile(await readFile(await makeGainedCopy(path, 6, NEVER)));
  expect(read.bitDepth).toBe("32f");
  expect(read.fmt).toMatchObject({ audioFormat: 3, numChannels: 2, sampleRate: 44_100 });
  expect(read.getSamples(true)).toHaveLength(80);
});

test("[H5] the copy lies beside the file, named after it and the gain", async () => {
  const path = await fileOf(smallWav(), "Kick Deep.wav");
  const copies = [await makeGainedCopy(path, -24, NEVER), await makeGainedCopy(path, 12.5, NEVER)];
  expect(copies.map((copy) => basename(copy))).toEqual([
    "Kick Deep -24 dB.wav",
    "Kick Deep +12.5 dB.wav",
  ]);
  expect(new Set(copies.map((copy) => dirname(copy)))).toEqual(new Set([dirname(path)]));
});

test("[H5] the copy never takes the place of another file", async () => {
  const path = await fileOf(smallWav());
  const other = join(dirname(path), "Kick -24 dB.wav");
  await writeFile(other, "mine");
  expect(basename(await makeGainedCopy(path, -24, NEVER))).toBe("Kick -24 dB 2.wav");
  expect(await readFile(other, "utf8")).toBe("mine");
});

describe("nothing is left behind", () => {
  test("[H5] of a cancelled copy", async () => {
    const path = await fileOf(smallWav({ frames: 100 }));
    const reason = new Error("called off");
    await expect(makeGainedCopy(path, -24, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await readdir(dirname(path))).toEqual(["Kick.wav"]);
  });

  test("[H5] of a file that is no WAV, or whose end is missing", async () => {
    const path = await fileOf(smallWav({ frames: 100 }));
    await truncate(path, 200);
    await expect(makeGainedCopy(path, -24, NEVER)).rejects.toThrow("the file is incomplete");
    await writeFile(path, "RIFX");
    await expect(makeGainedCopy(path, -24, NEVER)).rejects.toThrow("Kick.wav");
    expect(await readdir(dirname(path))).toEqual(["Kick.wav"]);
  });
});
