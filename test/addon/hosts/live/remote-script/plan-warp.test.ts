import { expect, test } from "vitest";
import {
  endsAtFileEnd,
  planWarp,
} from "../../../../../addon/hosts/live/remote-script/plan-warp.ts";
import { beatAt } from "../../../../../core/layout/warp-markers.ts";

const LOOP = { looping: true, loopEndBeats: 8, tempoBpm: 120 };
const RATE = 44_100;

function fileOf(seconds: number, sampleRateHz = RATE) {
  return { frames: Math.round(seconds * sampleRateHz), sampleRateHz };
}

test("[H13] a loop that ends inside its file has its second marker on the loop's end", () => {
  const [first, ...others] = planWarp(LOOP, fileOf(6));
  expect(first).toEqual({
    markers: [
      [0, 0],
      [4, 8],
    ],
    start: 0,
    end: 8,
  });
  expect(others).toEqual([{ ...first, end: null }]);
});

test("[H13] a loop that fills its file has its second marker one frame before the end", () => {
  const file = fileOf(4);
  const [first, second, last] = planWarp(LOOP, file);
  const seconds = (file.frames - 1) / RATE;
  expect(first).toEqual({
    markers: [
      [0, 0],
      [seconds, seconds * 2],
    ],
    start: 0,
    end: 8,
  });
  expect(second).toEqual({
    markers: [
      [0, 0],
      [4, 8],
    ],
    start: 0,
    end: 8,
  });
  expect(last).toEqual({ ...first, end: null });
});

test("[H13] a file that is one frame short gets its whole beats, at worst with a marker on its end", () => {
  const file = { frames: 4 * RATE - 1, sampleRateHz: RATE };
  const [first, second, third, fourth] = planWarp(LOOP, file);
  expect(first?.end).toBe(8);
  expect(second).toEqual({
    markers: [
      [0, 0],
      [file.frames / RATE, 8],
    ],
    start: 0,
    end: 8,
  });
  // Where Live takes no marker on the file's end, one a frame before it on the same line does.
  const [, inside] = third?.markers ?? [];
  expect(inside?.[0]).toBe((file.frames - 1) / RATE);
  const stretched = [first, second, third].map((attempt) => endsAtFileEnd(attempt, file));
  expect(stretched).toEqual([false, true, true]);
  expect(fourth?.end).toBeCloseTo((file.frames / RATE) * 2, 9);
});

test("[H13] a loop that is longer than its file is asked for as it is, then as long as the file", () => {
  const file = fileOf(3);
  const [first, second, third, ...more] = planWarp(LOOP, file);
  expect([first?.end, second?.end, third?.end]).toEqual([8, 6, 6]);
  expect(second?.markers).toEqual(first?.markers);
  expect(third && endsAtFileEnd(third, file)).toBe(true);
  // Where Live goes on at another tempo after the last marker, only the markers' own beats are sure.
  const lastBeat = first?.markers?.at(-1)?.[1];
  expect(more.map(({ end }) => end)).toEqual([lastBeat, null]);
});

test("[H13] at every tempo, length, rate and tail both markers lie inside the file and on the tempo's line", () => {
  const wrong: object[] = [];
  for (const loopEndBeats of [0.25, 3, 5, 7, 12, 20]) {
    for (let tempoBpm = 60; tempoBpm <= 200; tempoBpm += 1) {
      for (const sampleRateHz of [RATE, 48_000, 96_000]) {
        for (const more of [-1, 0, 1, sampleRateHz / 2, 2 * sampleRateHz]) {
          const exact = (loopEndBeats * 60 * sampleRateHz) / tempoBpm;
          const file = { frames: Math.floor(exact) + more, sampleRateHz };
          const [attempt] = planWarp({ looping: true, loopEndBeats, tempoBpm }, file);
          const [[atSeconds, atBeats] = [1, 1], [seconds, beats] = [0, 0]] = attempt?.markers ?? [];
          const isInside = seconds > 0 && seconds <= (file.frames - 1) / sampleRateHz + 1e-12;
          const isStraight = Math.abs(beats - (seconds * tempoBpm) / 60) < 1e-12 * (1 + beats);
          const isFromZero = atSeconds === 0 && atBeats === 0 && attempt?.end === loopEndBeats;
          if (!isInside || !isStraight || !isFromZero) wrong.push({ tempoBpm, file, attempt });
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("[H13] the marker on a file's end is off by under 10⁻⁴ beat where the file is up to a frame short", () => {
  for (let tempoBpm = 60; tempoBpm <= 200; tempoBpm += 1) {
    const frames = Math.ceil((7 * 60 * RATE) / tempoBpm) - 1;
    const file = { frames, sampleRateHz: RATE };
    const attempts = planWarp({ looping: true, loopEndBeats: 7, tempoBpm }, file);
    const atEnd = attempts.find((attempt) => endsAtFileEnd(attempt, file));
    const markers = atEnd?.markers?.map(([seconds, beats]) => ({ seconds, beats })) ?? [];
    for (const part of [0.25, 0.5, 1]) {
      const seconds = (part * frames) / RATE;
      expect(Math.abs(beatAt(markers, seconds) - (seconds * tempoBpm) / 60)).toBeLessThan(1e-4);
    }
  }
});

test("[H13] a loop without a tempo keeps Live's markers and starts at the file's first sample", () => {
  const guessed = { looping: true, loopEndBeats: null, tempoBpm: null };
  const kept = { markers: null, start: null, end: null };
  expect(planWarp(guessed, fileOf(4))).toEqual([kept]);
  expect(planWarp({ ...guessed, loopEndBeats: 8 }, fileOf(4))).toEqual([{ ...kept, beats: 8 }]);
});

test("[H13] a one-shot goes from the file's first sample to its last", () => {
  const oneShot = { looping: false, loopEndBeats: null, tempoBpm: null };
  const [first, second] = planWarp(oneShot, fileOf(1.5));
  expect(first).toEqual({ markers: null, start: 0, end: 1.5 });
  expect(second).toEqual({ markers: null, start: 0, end: null });
});

test("[H13] even a loop of a single frame gets a marker inside its file", () => {
  const [attempt] = planWarp({ ...LOOP, loopEndBeats: 1 }, { frames: 1, sampleRateHz: RATE });
  const [, [seconds] = [0]] = attempt?.markers ?? [];
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(1 / RATE);
});
