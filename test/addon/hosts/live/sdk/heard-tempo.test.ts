import { describe, expect, test } from "vitest";
import { isHeardWrong, passNearTempo } from "../../../../../addon/hosts/live/sdk/heard-tempo.ts";
import type { LiveClip, LiveWarpMarker } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { readClipTempo } from "../../../../../addon/hosts/live/sdk/read-back.ts";

const ASKED = { tempoBpm: 174 };

function clipWith(warpMarkers: readonly LiveWarpMarker[]): LiveClip {
  const clip: Partial<LiveClip> = { warpMarkers };
  return clip as LiveClip;
}

describe("the tempo that a clip's warp markers give", () => {
  test("[H6] is that from the first to the last", () => {
    const markers = [
      { sampleTime: 0, beatTime: 0 },
      { sampleTime: 1, beatTime: 2.5 },
      { sampleTime: 960 / 174, beatTime: 16 },
    ];
    expect(readClipTempo(clipWith(markers))).toBe(174);
    expect(
      readClipTempo(
        clipWith([
          { sampleTime: 1n, beatTime: 1n },
          { sampleTime: 3n, beatTime: 5n },
        ]),
      ),
    ).toBe(120);
  });

  test.each([
    [[]],
    [[{ sampleTime: 0, beatTime: 0 }]],
    [
      [
        { sampleTime: 1, beatTime: 0 },
        { sampleTime: 1, beatTime: 4 },
      ],
    ],
    [
      [
        { sampleTime: 0, beatTime: 4 },
        { sampleTime: 1, beatTime: 4 },
      ],
    ],
    [
      [
        { sampleTime: 1, beatTime: 0 },
        { sampleTime: 0, beatTime: 4 },
      ],
    ],
  ])("[H4] is left out where they give none: %o", (markers) => {
    expect(readClipTempo(clipWith(markers))).toBeUndefined();
  });
});

test("[H6] half, double and more than 0.5 % off is wrong; an unknown or unplanned tempo is not", () => {
  for (const heard of [87, 348, 174 * 1.0051, 174 * 0.9949])
    expect(isHeardWrong(ASKED, heard)).toBe(true);
  for (const heard of [174, 174 * 1.0049, 174 * 0.9951, null, undefined]) {
    expect(isHeardWrong(ASKED, heard)).toBe(false);
  }
  expect(isHeardWrong({ tempoBpm: null }, 120)).toBe(false);
});

test("[H6] a tempo that is near enough is a note instead of a difference", () => {
  expect(passNearTempo(ASKED, { looping: true, tempoBpm: 174.5 })).toEqual({
    holds: { looping: true },
    notes: ["Live detects 174.5 BPM, close enough to 174."],
  });
});

test.each([174.0005, 87, null])(
  "[H6] a tempo of %s is left to be compared, without a note",
  (tempoBpm) => {
    expect(passNearTempo(ASKED, { tempoBpm })).toEqual({ holds: { tempoBpm }, notes: [] });
  },
);
