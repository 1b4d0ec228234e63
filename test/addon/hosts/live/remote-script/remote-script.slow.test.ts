import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TrackPlan } from "../../../../../core/layout/layout.ts";
import {
  layoutOf,
  LOOP,
  ONE_SHOT,
  placeRequest,
} from "../../../../contracts/host/host-contract.ts";
import { smallWav } from "../../../../wav-bytes.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { violationsIn } from "./fake-live-log.ts";
import { openRemoteScript, type OpenRemoteScriptOptions } from "./open-remote-script.ts";

const RATE = 8000;

interface Loop {
  readonly beats: number;
  readonly bpm: number;
  /** Frames after the loop's end; negative where the file is short. */
  readonly tail?: number;
}

/** Places loops, and a one-shot, with the real host and the real script. */
async function placeLoops(loops: readonly Loop[], options: OpenRemoteScriptOptions = {}) {
  await using opened = await openRemoteScript(options);
  const { live, host, home } = opened;
  const plans = loops.map(({ beats, bpm }, index): TrackPlan => ({
    ...LOOP,
    soundId: `loop-${index}`,
    loopEndBeats: beats,
    tempoBpm: bpm,
  }));
  const files = new Map<string, string>();
  for (const [index, { beats, bpm, tail = 0 }] of loops.entries()) {
    const frames = Math.round((beats * 60 * RATE) / bpm) + tail;
    files.set(`loop-${index}`, await writeSound(home.soundsFolder, `Loop ${index}.wav`, frames));
  }
  files.set("kick", await writeSound(home.soundsFolder, "Kick.wav", RATE / 2));
  await live.run();
  const request = await placeRequest(layoutOf([...plans, ONE_SHOT]), { files });
  const placed = await host.place(request);
  return { placed, set: await live.dump(), log: await live.log() };
}

async function writeSound(folder: string, name: string, frames: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, smallWav({ frames, sampleRateHz: RATE }));
  return path;
}

const HABITS: readonly Partial<FakeHabits>[] = [
  {},
  { fresh: "short loop" },
  { fresh: "unwarped", startMovedSeconds: 3, warpingAfterTicks: 2 },
  { markersLeft: 2, firstMarkerSeconds: 0 },
  { markersLeft: 20, firstMarkerSeconds: 3, drift: 0.3 },
  { guess: 190 },
  { version: "12.0.5", shadowRemoval: "can't be deleted", markerAtFileEnd: false },
  { freshGain: 0.7, freshPitch: [5, 12], newTrackArmed: true, unwarpingKeepsLooping: false },
];

describe("the control surface's script in the fake Live", () => {
  test.each(HABITS)("puts loops in time, and does nothing wrong: %j", async (habits) => {
    const loops = [
      { beats: 8, bpm: 120 },
      { beats: 12, bpm: 120, tail: RATE },
      { beats: 20, bpm: 100 },
      { beats: 14, bpm: 140, tail: 2 * RATE },
      { beats: 12, bpm: 90 },
    ];
    const { placed, set, log } = await placeLoops(loops, { habits });
    expect(placed.filter((sound) => "error" in sound)).toEqual([]);
    expect(violationsIn(log)).toEqual([]);
    const clips = set.tracks.slice(2).map(({ clips: row }) => row.find((clip) => clip !== null));
    for (const [index, { beats, bpm }] of loops.entries()) {
      const clip = clips[index];
      expect(clip).toMatchObject({ warping: true, looping: true, startSeconds: 0 });
      expect(clip?.loopEnd).toBeCloseTo(beats, 6);
      expect(clip?.loopStart).toBeCloseTo(0, 6);
      expect(clip?.endSeconds).toBeCloseTo((beats * 60) / bpm, 6);
      expect(clip?.gainDb).toBeCloseTo(-3, 1);
    }
    const kick = clips[loops.length];
    expect(kick).toMatchObject({
      warping: false,
      looping: false,
      startSeconds: 0,
      endSeconds: 0.5,
    });
    expect(set.tracks.map(({ volume }) => volume)).toEqual(set.tracks.map(() => 0.85));
  });
});
