import { expect, test } from "vitest";
import { type KnownLoop, makeDrums, makeMelody } from "./made-sounds.ts";
import { findOnsets, onsetErrors, centsFrom } from "./measure-onsets.ts";

// What the tests of warping measure with.

test.each<[string, KnownLoop]>([
  ["drums of 126 BPM", makeDrums(126)],
  ["drums of 174 BPM", makeDrums(174)],
  ["a melody", makeMelody(120)],
])("the finder knows every onset of %s, and what was moved", (_, loop) => {
  const { samples, sampleRateHz, onsets } = loop;
  const found = findOnsets(samples, sampleRateHz);
  expect(found).toHaveLength(onsets.length);
  expect(onsetErrors(found, onsets)).toMatchObject({ missed: 0 });
  expect(onsetErrors(found, onsets).p95Ms).toBeLessThan(3);
  const moved = onsets.map((seconds) => seconds + 0.01);
  expect(onsetErrors(found, moved).lagMs).toBeCloseTo(onsetErrors(found, onsets).lagMs - 10, 3);
});

test("the finder of pitches knows a tone that is off by 3 cents", () => {
  const tone = Float64Array.from({ length: 20_000 }, (_, frame) =>
    Math.sin((2 * Math.PI * 440 * 2 ** (3 / 1200) * frame) / 48_000),
  );
  expect(centsFrom(tone, 48_000, 440)).toBeCloseTo(3, 2);
});
