import { expect, test } from "vitest";
import {
  gainOfVolume,
  isWithinVolumeRange,
  formatGain,
  volumeOfGain,
} from "../../../../../addon/hosts/live/sdk/volume.ts";

test("[H5] gains from -18 to +6 dB are raw volumes from 0.4 to 1, and 0 dB is 0.85", () => {
  expect([-18, 0, 6].map(volumeOfGain)).toEqual([0.4, 0.85, 1]);
  expect([-18.001, -18, 0, 6, 6.001].map(isWithinVolumeRange)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

test("[H4] a volume that Live keeps as a 32-bit float reads as the gain that was set", () => {
  for (let gainDb = -18; gainDb <= 6; gainDb += 0.25) {
    expect(gainOfVolume(Math.fround(volumeOfGain(gainDb)))).toBe(gainDb);
  }
});

test("[H4] a volume below the known range has no gain", () => {
  expect([0, 0.2, 0.39].map(gainOfVolume)).toEqual([undefined, undefined, undefined]);
});

test("[H5] a gain is printed with its sign", () => {
  expect([-24, 0, 3.5, 12.345].map(formatGain)).toEqual(["-24 dB", "0 dB", "+3.5 dB", "+12.35 dB"]);
});
