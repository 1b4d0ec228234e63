import { expect, test } from "vitest";
import { decodeSamples, readSamples } from "../../../core/audio/read-samples.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { chunk, format, wav } from "../../../fixtures/wav-bytes.ts";

const HZ = { sampleRateHz: 48_000 };

test("[Y10] samples of every format become numbers from -1 to 1", () => {
  const pcm = (bitsPerSample: 8 | 16 | 24 | 32, bytes: readonly number[]) =>
    decodeSamples(Uint8Array.from(bytes), { ...HZ, encoding: "pcm", channels: 1, bitsPerSample });
  expect(pcm(8, [0, 128, 255])).toEqual([Float32Array.of(-1, 0, 127 / 128)]);
  expect(pcm(16, [0, 0x80, 0, 0x40])).toEqual([Float32Array.of(-1, 0.5)]);
  expect(pcm(24, [0, 0, 0x80, 0, 0, 0x40, 255, 255, 255])).toEqual([
    Float32Array.of(-1, 0.5, -1 / 8_388_608),
  ]);
  expect(pcm(32, [0, 0, 0, 0x80, 0, 0, 0, 0x40])).toEqual([Float32Array.of(-1, 0.5)]);
  const floats = new Uint8Array(Float32Array.of(0.25, -2).buffer);
  const float = { ...HZ, encoding: "float", channels: 1, bitsPerSample: 32 } as const;
  expect(decodeSamples(floats, float)).toEqual([Float32Array.of(0.25, -2)]);
});

test("[Y10] a file is read in pieces, each channel apart", async () => {
  const frames = 150_000;
  const samples = Int16Array.from({ length: frames * 2 }, (_, at) =>
    at % 2 === 0 ? (at / 2) % 1000 : -((at - 1) / 2) % 1000,
  );
  const data = new Uint8Array(samples.buffer);
  const file = Uint8Array.from(
    wav([chunk("fmt ", format({ channels: 2, bits: 16 })), chunk("data", data)]),
  );
  const readAt = async (offset: number, length: number) => file.subarray(offset, offset + length);
  const header = await readWavHeaderAt(readAt, file.length, "a.wav");
  const [left, right]: [number[], number[]] = [[], []];
  for await (const [one = [], other = []] of readSamples(readAt, header)) {
    left.push(...one);
    right.push(...other);
  }
  expect([left.length, right.length]).toEqual([frames, frames]);
  expect(left[70_000]).toBeCloseTo((70_000 % 1000) / 32_768, 9);
  expect(right[140_000]).toBeCloseTo(-((140_000 % 1000) / 32_768), 9);
  const short = readSamples(async () => new Uint8Array(2), header);
  await expect(short.next()).rejects.toThrow("shorter than its header");
});
