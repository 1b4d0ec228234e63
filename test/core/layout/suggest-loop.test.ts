import { expect, test } from "vitest";
import { suggestLoop } from "../../../core/layout/suggest-loop.ts";

/** A file of so many seconds. */
function lasting(seconds: number, sampleRateHz = 44_100) {
  return { frames: Math.round(seconds * sampleRateHz), sampleRateHz };
}
const acid = (beats: number, tempoBpm: number, isOneShot = false) => ({
  acid: { beats, tempoBpm, isOneShot },
});

test("[G3] a length that fits a whole tempo to the frame is suggested, the tempo nearest to 120 first", () => {
  expect(suggestLoop(lasting(8), {})).toEqual({
    lengthBeats: 16,
    tempoBpm: 120,
    because: "length",
  });
  expect(suggestLoop(lasting((8 * 60) / 126), {})).toMatchObject({ lengthBeats: 8, tempoBpm: 126 });
  expect(suggestLoop(lasting(4.0123), {})).toBeNull();
  expect(suggestLoop(lasting(0.5), {})).toBeNull();
});

test("[G3] the package's tempo is suggested where a whole number of its beats lasts as long as the file", () => {
  expect(suggestLoop(lasting(6), {}, 90)).toEqual({
    lengthBeats: 9,
    tempoBpm: 90,
    because: "tempo",
  });
  expect(suggestLoop(lasting(6.02), {}, 90)).toBeNull();
});

test("[G3] an ACID chunk counts only where its beats at its tempo last as long as the file", () => {
  const file = lasting((13 * 60) / 97.3);
  const tempoBpm = Math.fround(97.3);
  expect(suggestLoop(file, acid(13, tempoBpm))).toEqual({
    lengthBeats: 13,
    tempoBpm: 97.3,
    because: "acid",
  });
  expect(suggestLoop(file, acid(16, tempoBpm))).toBeNull();
  expect(suggestLoop(lasting(8), acid(4, 120))).toMatchObject({ because: "length" });
  expect(suggestLoop(lasting(8), acid(16, 120, true))).toBeNull();
  for (const bad of [acid(0, 0), acid(4, Number.NaN), acid(5000, 999), acid(1, 5)]) {
    expect(suggestLoop(lasting(4.0123), bad)).toBeNull();
  }
});

test("[G3] a sampler loop counts only where it is the whole file", () => {
  const file = lasting(4.0123);
  const loop = (startFrame: number, endFrame: number) => ({ sampler: { startFrame, endFrame } });
  expect(suggestLoop(file, loop(0, file.frames - 1))).toMatchObject({
    lengthBeats: 8,
    because: "smpl",
  });
  expect(suggestLoop(file, loop(0, file.frames))).toMatchObject({ because: "smpl" });
  expect(suggestLoop(file, loop(0, file.frames - 500))).toBeNull();
  expect(suggestLoop(file, loop(100, file.frames - 1))).toBeNull();
});
