import { describe, expect, test } from "vitest";
import { LoudnessMeter } from "../../../core/audio/loudness.ts";

/** A part of a sine: its peak level, or its levels left and right, for so many seconds. */
type Part = readonly [dbfs: number | readonly number[], seconds: number];

function sine(parts: readonly Part[], sampleRateHz: number, hz = 1000): readonly Float32Array[] {
  // Whole periods fit into a second.
  const second = new Float64Array(sampleRateHz);
  for (let at = 0; at < sampleRateHz; at += 1) {
    second[at] = Math.sin((2 * Math.PI * hz * at) / sampleRateHz);
  }
  const frames = parts.reduce((sum, [, seconds]) => sum + Math.round(seconds * sampleRateHz), 0);
  const channelOf = (channel: number): Float32Array => {
    const samples = new Float32Array(frames);
    let at = 0;
    for (const [level, seconds] of parts) {
      const dbfs = typeof level === "number" ? level : (level[channel] ?? -Infinity);
      const peak = 10 ** (dbfs / 20);
      for (const end = at + Math.round(seconds * sampleRateHz); at < end; at += 1) {
        samples[at] = peak * (second[at % sampleRateHz] ?? 0);
      }
    }
    return samples;
  };
  const left = channelOf(0);
  return [left, parts.every(([level]) => typeof level === "number") ? left : channelOf(1)];
}

function loudnessOf(
  channels: readonly Float32Array[],
  sampleRateHz: number,
  pieceFrames = 65_536,
): number | null {
  const meter = new LoudnessMeter({ sampleRateHz, channels: channels.length });
  const frames = channels[0]?.length ?? 0;
  for (let from = 0; from < frames; from += pieceFrames) {
    meter.add(channels.map((samples) => samples.subarray(from, from + pieceFrames)));
  }
  return meter.finish();
}

/** The cases of EBU Tech 3341 in stereo. */
const EBU: readonly (readonly [string, readonly Part[], number])[] = [
  ["1", [[-23, 20]], -23],
  ["2", [[-33, 20]], -33],
  ["3", [[-36, 10], [-23, 60], [-36, 10]], -23], // prettier-ignore
  ["4", [[-72, 10], [-36, 10], [-23, 60], [-36, 10], [-72, 10]], -23], // prettier-ignore
  ["5", [[-26, 20], [-20, 20.1], [-26, 20]], -23], // prettier-ignore
];

/** The weight of a frequency in LU, from the coefficients that BS.1770 prints for 48 kHz. */
function weightAt(hz: number): number {
  const gain = (b: readonly number[], a: readonly number[]): number =>
    10 * Math.log10(powerOf(b, hz) / powerOf(a, hz));
  const shelf = gain(
    [1.53512485958697, -2.69169618940638, 1.19839281085285],
    [1, -1.69065929318241, 0.73248077421585],
  );
  return -0.691 + shelf + gain([1, -2, 1], [1, -1.99004745483398, 0.99007225036621]);
}

function powerOf(coefficients: readonly number[], hz: number): number {
  const angle = (2 * Math.PI * hz) / 48_000;
  const sum = (part: (turn: number) => number): number =>
    coefficients.reduce((total, by, power) => total + by * part(angle * power), 0);
  return sum(Math.cos) ** 2 + sum(Math.sin) ** 2;
}

describe.each([22_050, 44_100, 48_000, 96_000])("at %i Hz", (rateHz) => {
  test.each(EBU)("[B9] loudness of case %s of EBU Tech 3341", (_, parts, lufs) => {
    // A quarter of each part at all rates but the standard's own, because whole minutes take seconds.
    const share = rateHz === 48_000 ? 1 : 0.25;
    const sound = sine(
      parts.map(([dbfs, seconds]) => [dbfs, seconds * share]),
      rateHz,
    );
    expect(Math.abs((loudnessOf(sound, rateHz) ?? 0) - lufs)).toBeLessThan(0.1);
  });

  test("[B9] a 997 Hz sine at full scale is -3.01 LUFS in one channel, 0 in two", () => {
    const full = sine([[0, 5]], rateHz, 997);
    expect(Math.abs((loudnessOf(full, rateHz) ?? -9) - 0)).toBeLessThan(0.03);
    expect(Math.abs((loudnessOf(full.slice(1), rateHz) ?? 0) + 3.01)).toBeLessThan(0.03);
    const left = sine([[[-20, -Infinity], 5]], rateHz, 997);
    expect(Math.abs((loudnessOf(left, rateHz) ?? 0) + 23.01)).toBeLessThan(0.03);
  });

  test("[B9] bass counts less and brightness more, as the weighting says", () => {
    for (const hz of [40, 100, 500, 2000, 4000]) {
      const heard = loudnessOf(sine([[-20, 4]], rateHz, hz), rateHz) ?? 0;
      expect(Math.abs(heard + 20 - weightAt(hz)), `${hz} Hz: ${heard}`).toBeLessThan(0.1);
    }
  });
});

test("[B9] a sound under 400 ms has no loudness, and neither has silence", () => {
  const rateHz = 44_100;
  const short = sine([[-10, 0.4]], rateHz).map((samples) => samples.subarray(0, -1));
  expect(loudnessOf(short, rateHz)).toBeNull();
  expect(loudnessOf(sine([[-10, 0.4]], rateHz), rateHz)).toBeCloseTo(-10, 0);
  expect(loudnessOf([new Float32Array(rateHz)], rateHz)).toBeNull();
  expect(loudnessOf(sine([[-75, 2]], rateHz), rateHz)).toBeNull();
});

test("[B9] loudness doesn't depend on the pieces, at a rate that 100 ms don't divide", () => {
  const rateHz = 11_025;
  const sound = sine([[-30, 1.3], [-12, 2.7], [-40, 1]], rateHz, 440); // prettier-ignore
  const whole = loudnessOf(sound, rateHz);
  for (const piece of [1, 999, 1102, 1103, 4096]) {
    expect(loudnessOf(sound, rateHz, piece)).toBeCloseTo(whole ?? 0, 9);
  }
});
