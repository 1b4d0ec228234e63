import { expect, test } from "vitest";
import { SoundMeter } from "../../../core/audio/sound-meter.ts";
import { seededRandom } from "../../../fixtures/synth/random.ts";

const FORMAT = { channels: 2, sampleRateHz: 44_100, bitsPerSample: 24 } as const;

/** Two seconds with a clipped run, an offset, a step that stands out, and noise. */
function sound(seed: string): readonly Float32Array[] {
  const random = seededRandom(seed);
  return [0.01, -0.02].map((offset, channel) => {
    const samples = Float32Array.from(
      { length: 88_200 },
      (_, at) => 0.4 * Math.sin(at * (0.03 + channel / 100)) + offset + 0.001 * random(),
    );
    samples.fill(1, 30_000, 30_005);
    for (let at = 50_000; at < 50_300; at += 1) samples[at] = (samples[at] ?? 0) + 0.2;
    return samples;
  });
}

test("[B9] the measures don't depend on the pieces", () => {
  const channels = sound("pieces");
  const header = { ...FORMAT, frames: 88_200 };
  for (const loopFrames of [undefined, 88_200, 70_001, 90_000]) {
    const whole = new SoundMeter(header, loopFrames);
    whole.add(channels);
    const measures = whole.finish();
    for (const seed of ["a", "b", "c"]) {
      const random = seededRandom(seed);
      const meter = new SoundMeter(header, loopFrames);
      for (let from = 0; from < 88_200;) {
        const to = from + 1 + Math.floor(random() ** 4 * 9000);
        meter.add(channels.map((samples) => samples.subarray(from, to)));
        from = to;
      }
      const found = meter.finish();
      expect(found.loudnessLufs).toBeCloseTo(measures.loudnessLufs ?? 0, 9);
      for (const [channel, offset] of measures.dcOffsets.entries()) {
        expect(found.dcOffsets[channel]).toBeCloseTo(offset, 12);
      }
      expect({ ...found, loudnessLufs: 0, dcOffsets: [] }).toEqual({
        ...measures,
        loudnessLufs: 0,
        dcOffsets: [],
      });
    }
  }
});

test("[B9] each measure is found in its channel", () => {
  const meter = new SoundMeter({ ...FORMAT, frames: 88_200 }, 88_200);
  meter.add(sound("measures"));
  const { peak, clippedRuns, dcOffsets, seams } = meter.finish();
  expect([peak, clippedRuns, seams.length]).toEqual([1, 2, 2]);
  expect(dcOffsets[0]).toBeGreaterThan(0.005);
  expect(dcOffsets[1]).toBeLessThan(-0.01);
});

test("[B9] the step at a loop's end is between its last frame and the file's first", () => {
  const ramp = Float32Array.from({ length: 44_100 }, (_, at) => at / 88_200);
  const stepAt = (loopFrames: number): readonly number[] => {
    const meter = new SoundMeter({ ...FORMAT, channels: 1, frames: 44_100 }, loopFrames);
    meter.add([ramp]);
    return meter.finish().seams.map(({ step }) => Number(step.toFixed(3)));
  };
  expect(stepAt(44_100)).toEqual([0.5]);
  expect(stepAt(22_050)).toEqual([0.25]);
  // A frame beyond the end is no silence, more is: into it and out of it.
  expect(stepAt(44_101)).toEqual([0.5]);
  expect(stepAt(44_102)).toEqual([0.5, 0]);
});
