import { describe, expect, test } from "vitest";
import {
  isHeardWrong,
  tempoNotes,
  warpTolerances,
} from "../../../../../addon/hosts/live/sdk/tempo.ts";
import type { LiveClip, LiveWarpMarker } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { readClipTempo } from "../../../../../addon/hosts/live/sdk/read-back.ts";

const ASKED = { tempoBpm: 174, loopEndBeats: 16 };

function at(tempoBpm: number) {
  return [
    { seconds: 0, beats: 0 },
    { seconds: 960 / tempoBpm, beats: 16 },
  ];
}

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

test("[H6] half, double and more than 0.1 % off is wrong; an unknown or unplanned tempo is not", () => {
  for (const heard of [87, 348, 174 * 1.0011, 174 * 0.9989])
    expect(isHeardWrong(ASKED, heard)).toBe(true);
  for (const heard of [174, 174 * 1.0009, 174 * 0.9991, null, undefined]) {
    expect(isHeardWrong(ASKED, heard)).toBe(false);
  }
  expect(isHeardWrong({ tempoBpm: null }, 120)).toBe(false);
});

test("[H6] a tempo that is near enough is a note, and within the tolerances", () => {
  const notes = ["Live detects 174.1 BPM, close enough to 174."];
  expect(tempoNotes(ASKED, { tempoBpm: 174.1 })).toEqual(notes);
  expect(tempoNotes(ASKED, { tempoBpm: 174.1, warpMarkers: at(174.1) })).toEqual(notes);
  expect(warpTolerances(ASKED)).toEqual({
    tempoBpm: expect.closeTo(0.174, 9),
    warpMarkerBeats: 0.016,
  });
  expect(warpTolerances({ ...ASKED, tempoBpm: null })).toEqual({});
});

test.each([174, 174.0005])("[H6] a tempo of %s needs no note", (tempoBpm) => {
  expect(tempoNotes(ASKED, { tempoBpm, warpMarkers: at(tempoBpm) })).toEqual([]);
});

test("[H6] a note says where Live can't be told: another tempo, and a drift with the right average", () => {
  const untold = ["Live can't be told this loop's tempo without the Soundferry control surface."];
  expect(tempoNotes(ASKED, { tempoBpm: 87, warpMarkers: at(87) })).toEqual(untold);
  expect(tempoNotes(ASKED, { tempoBpm: 175 })).toEqual(untold);
  const [start, end] = at(174);
  if (start === undefined || end === undefined) throw new Error("There are no markers.");
  const warpMarkers = [start, { seconds: end.seconds / 2, beats: 8.1 }, end];
  expect(tempoNotes(ASKED, { tempoBpm: 174, warpMarkers })).toEqual(untold);
  expect(tempoNotes({ ...ASKED, tempoBpm: null }, { tempoBpm: 87 })).toEqual([]);
  expect(tempoNotes(ASKED, { tempoBpm: null })).toEqual([]);
});
