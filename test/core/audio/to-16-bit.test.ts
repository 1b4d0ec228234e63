import { expect, test } from "vitest";
import { readLoopHints } from "../../../core/audio/read-loop-hints.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { SixteenBit } from "../../../core/audio/to-16-bit.ts";
import { to16Bit } from "../../../client/audio/to-16-bit.ts";
import { chunk, format, wav } from "../../../fixtures/wav-bytes.ts";

const MONO = { channels: 1, sampleRateHz: 48_000 } as const;
const DEEP = { ...MONO, encoding: "pcm", bitsPerSample: 24 } as const;
const FLOAT = { ...MONO, encoding: "float", bitsPerSample: 32 } as const;

/** The bytes of 24-bit samples. */
function bytesOf24(samples: readonly number[]): Uint8Array {
  return Uint8Array.from(samples.flatMap((one) => [one, one >> 8, one >> 16]));
}

function samplesOf(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 2 }, (_, at) => view.getInt16(at * 2, true));
}

function floats(...samples: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(samples).buffer);
}

/** A sine at −6 dB, between the values of 16 bits. */
const SINE = Array.from({ length: 100_000 }, (_, at) => Math.round(4_194_303 * Math.sin(at / 37)));

/** The error of each sample in steps of 16 bits. */
function errors(): readonly number[] {
  const converted = samplesOf(new SixteenBit(DEEP).convert(bytesOf24(SINE)));
  return converted.map((one, at) => one - (SINE[at] ?? 0) / 256);
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

test("[G20] the error of 16 bit is noise: no offset, as loud as TPDF dither is, and not the sound's", () => {
  const all = errors();
  expect(all).toHaveLength(SINE.length);
  // Noise of up to 1 step, and half a step of rounding.
  expect(Math.max(...all.map(Math.abs))).toBeLessThanOrEqual(1.5);
  expect(Math.abs(mean(all))).toBeLessThan(0.01);
  // 1/6 of the noise and 1/12 of the rounding.
  expect(mean(all.map((one) => one * one))).toBeCloseTo(0.25, 2);
  const withSound = mean(all.map((one, at) => (one * (SINE[at] ?? 0)) / 4_194_303));
  expect(Math.abs(withSound)).toBeLessThan(0.01);
  // Neighbors have nothing in common.
  const neighbors = mean(all.slice(1).map((one, at) => one * (all[at] ?? 0)));
  expect(Math.abs(neighbors)).toBeLessThan(0.01);
});

test("[G20] a sound below one step of 16 bits is still in the noise", () => {
  // Rounded, it would be silent.
  const faint = Array.from({ length: 200_000 }, (_, at) => Math.round(90 * Math.sin(at / 20)) + 1);
  const converted = samplesOf(new SixteenBit(DEEP).convert(bytesOf24(faint)));
  const found = mean(converted.map((one, at) => one * Math.sin(at / 20)));
  expect(found).toBeCloseTo(90 / 256 / 2, 2);
});

test("[G20] what 16 bits hold exactly keeps its value: silence, and 16 bits that were saved as 24", () => {
  const own = [0, 0, 1, -1, 32_767, -32_768, 1234, -4321, 0];
  const converter = new SixteenBit(DEEP);
  expect(samplesOf(converter.convert(bytesOf24(own.map((one) => one * 256))))).toEqual(own);
  expect(converter.clipped).toBe(0);
  const silent = new SixteenBit(FLOAT).convert(floats(0, 0, Number.NaN, -0.5, 0));
  expect(samplesOf(silent)).toEqual([0, 0, 0, -16_384, 0]);
});

test("[G20] what is beyond full scale is clipped and counted, full scale itself is not", () => {
  const converter = new SixteenBit(FLOAT);
  const loud = floats(1, -1, 1.01, -1.01, 7, Number.POSITIVE_INFINITY, 0.5);
  expect(samplesOf(converter.convert(loud))).toEqual([
    32_767, -32_768, 32_767, -32_768, 32_767, 32_767, 16_384,
  ]);
  expect(converter.clipped).toBe(4);
  const full = new SixteenBit(DEEP);
  expect(samplesOf(full.convert(bytesOf24([8_388_607, -8_388_607])))[0]).toBeGreaterThan(32_765);
  expect(full.clipped).toBe(0);
});

test("[G20] the same sound becomes the same bytes, and another one gets other noise", () => {
  const bytes = bytesOf24(SINE);
  expect(new SixteenBit(DEEP).convert(bytes)).toEqual(new SixteenBit(DEEP).convert(bytes));
  const other = bytesOf24(SINE.map((one) => one + 256));
  const noise = (data: Uint8Array, offset: number) =>
    samplesOf(new SixteenBit(DEEP).convert(data)).map((one) => one - offset);
  const [first, second] = [noise(bytes, 0), noise(other, 1)];
  expect(first.filter((one, at) => one !== second[at]).length).toBeGreaterThan(SINE.length / 4);
});

/** A file of 24 bits in stereo with loop points behind its audio. */
function fileOf(frames: number): Blob {
  const data = bytesOf24(Array.from({ length: frames * 2 }, (_, at) => (at * 7919) % 8_000_000));
  const smpl = new Uint8Array(60);
  const view = new DataView(smpl.buffer);
  view.setUint32(28, 1, true);
  view.setUint32(44, 10, true);
  view.setUint32(48, frames - 1, true);
  const chunks = [
    chunk("fmt ", format({ channels: 2, bits: 24 })),
    chunk("data", data),
    chunk("smpl", smpl),
    chunk("LIST", new TextEncoder().encode("INFOodd")),
  ];
  return new Blob([Uint8Array.from(wav(chunks))]);
}

const readerOf = (file: Blob) => async (offset: number, length: number) =>
  new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());

test("[G20] a file keeps its length and its loop points, over more than one piece", async () => {
  const frames = 300_001;
  const file = fileOf(frames);
  const header = await readWavHeaderAt(readerOf(file), file.size, "a.wav");
  const { wav: converted, clipped } = await to16Bit(file, header);
  expect(clipped).toBe(0);
  const readAt = readerOf(converted);
  const now = await readWavHeaderAt(readAt, converted.size, "a.wav");
  expect(now).toMatchObject({ encoding: "pcm", bitsPerSample: 16, channels: 2, frames });
  expect(converted.size).toBe(file.size - frames * 2);
  expect(await readLoopHints(readAt, converted.size)).toEqual(
    await readLoopHints(readerOf(file), file.size),
  );
  const audio = samplesOf(await readAt(now.dataOffset, now.dataBytes));
  const furthest = audio.reduce(
    (most, one, at) => Math.max(most, Math.abs(one - ((at * 7919) % 8_000_000) / 256)),
    0,
  );
  expect(furthest).toBeLessThanOrEqual(1.5);
  const again = await to16Bit(file, header);
  expect(Buffer.from(await again.wav.arrayBuffer())).toEqual(
    Buffer.from(await converted.arrayBuffer()),
  );
});

test("[G20] a sound of 16 or 8 bits is the same file", async () => {
  for (const bits of [8, 16]) {
    const chunks = [chunk("fmt ", format({ bits })), chunk("data", new Uint8Array(64))];
    const file = new Blob([Uint8Array.from(wav(chunks))]);
    const header = await readWavHeaderAt(readerOf(file), file.size, "a.wav");
    expect((await to16Bit(file, header)).wav).toBe(file);
  }
});

test("[G20] a conversion stops when its signal aborts", async () => {
  const file = fileOf(10);
  const header = await readWavHeaderAt(readerOf(file), file.size, "a.wav");
  const stop = AbortSignal.abort(new Error("Stopped."));
  await expect(to16Bit(file, header, stop)).rejects.toThrow("Stopped.");
});
