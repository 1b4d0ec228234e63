import { expect, test } from "vitest";
import { encodeWav } from "../../../../fixtures/synth/wav-file.ts";
import { reachOf, resample } from "../../../../pages/kit/playback/resample.ts";
import { SoundStream } from "../../../../pages/kit/playback/sound-stream.ts";

const RATE = 44_100;

function tone(frames: number, hz = 997): Float64Array {
  return Float64Array.from(
    { length: frames },
    (_, frame) => 0.5 * Math.sin((2 * Math.PI * hz * frame) / RATE),
  );
}

async function open(samples: Float64Array): Promise<SoundStream> {
  return SoundStream.open(
    new Blob([Uint8Array.from(encodeWav([samples], { rateHz: RATE, depth: "24" }))]),
  );
}

test("[V19] pieces of a sound at another rate join to what the whole is, frame by frame", () => {
  const input = [Float32Array.from(tone(20_000))];
  const step = RATE / 48_000;
  const [whole] = resample(input, { from: 100, step, frames: 20_000 });
  for (const size of [1, 37, 4096]) {
    const pieces: number[] = [];
    for (let first = 0; first < 20_000; first += size) {
      const frames = Math.min(size, 20_000 - first);
      pieces.push(...(resample(input, { from: 100 + first * step, step, frames })[0] ?? []));
    }
    expect(pieces).toHaveLength(20_000);
    const errors = pieces.map((sample, frame) => Math.abs(sample - (whole?.[frame] ?? 1)));
    expect(Math.max(...errors)).toBeLessThan(1e-6);
  }
});

test.each([
  [RATE / 48_000, 997],
  [RATE / 48_000, 10_000],
  [0.83, 997],
  [1.9, 997],
])(
  "[V19] a tone read with step %d keeps its level, and its error is below -60 dB (%d Hz)",
  (step, hz) => {
    const [heard = new Float32Array()] = resample([Float32Array.from(tone(12_000, hz))], {
      from: 1000,
      step,
      frames: 5000,
    });
    const errors = heard.map((sample, frame) =>
      Math.abs(sample - 0.5 * Math.sin((2 * Math.PI * hz * (1000 + frame * step)) / RATE)),
    );
    expect(Math.max(...errors)).toBeLessThan(0.5 * 10 ** (-60 / 20));
  },
);

test("[V19] a stream reads the same samples as the file has, also over its ends, and nothing it hasn't decoded", async () => {
  const samples = tone(200_000);
  const stream = await open(samples);
  const span = { from: 32_700, step: 1, frames: 400, holdsEnd: false };
  expect(stream.read(span)).toBeNull();
  await stream.load(span);
  const [heard = new Float32Array()] = stream.read(span) ?? [];
  heard.forEach((sample, frame) => expect(sample).toBeCloseTo(samples[32_700 + frame] ?? 1, 6));
  const end = { from: 199_990, step: 1, frames: 20, holdsEnd: false };
  await stream.load(end);
  expect(stream.read(end)?.[0]?.slice(10)).toEqual(new Float32Array(10));
  const held = stream.read({ ...end, holdsEnd: true })?.[0];
  expect(held?.[10]).toBe(held?.[9]);
});

test("[V19] a stream keeps 16 blocks of 32,768 frames, however long its sound is", async () => {
  const stream = await open(tone(1_000_000));
  const spanAt = (block: number) => ({
    from: block * 32_768 + 100,
    step: 1,
    frames: 1000,
    holdsEnd: false,
  });
  for (let block = 0; block < 30; block += 1) await stream.load(spanAt(block));
  const kept = Array.from({ length: 30 }, (_, block) => block).filter(
    (block) => stream.read(spanAt(block)) !== null,
  );
  expect(kept).toEqual(Array.from({ length: 16 }, (_, index) => index + 14));
});

test("[V19] what is no WAV says that it can't be played", async () => {
  await expect(SoundStream.open(new Blob(["no sound"]))).rejects.toThrow(
    "This file can’t be played here.",
  );
  expect(reachOf(1)).toBeGreaterThan(16);
});
