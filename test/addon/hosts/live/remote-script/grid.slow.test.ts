import { expect, test } from "vitest";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import type { TrackPlan } from "../../../../../core/layout/layout.ts";
import { layoutOf, LOOP } from "../../../../contracts/host/host-contract.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { type LiveStudio, liveStudio, placedOf } from "./live-studio.ts";
import { beatsOff, clipOf } from "./look-in-set.ts";
import { violationsIn } from "./fake-live-log.ts";
import { someOf } from "../../../../whole-forms.ts";
import type { AudioOfSound } from "./sparse-wav.ts";

const BEATS = [3, 5, 7, 12, 20];
const RATES_HZ = [44_100, 48_000, 96_000];
const TEMPOS_BPM = Array.from({ length: 141 }, (_, index) => 60 + index);
/** Seconds after the loop. Each cell has one of them, and one file that is a frame short. */
const TAILS = [0, 0.7, 2];
const SHORT = "a frame short";
const SOUNDS_IN_A_PACKAGE = 32;
const FASTEST_TICKS = { realTickMs: 1 };

/** Lives that leave new clips in many ways. */
const LIVES: readonly Partial<FakeHabits>[] = [
  {},
  { fresh: "unwarped", startMovedSeconds: 3 },
  { fresh: "short loop", freshGain: 0.7, freshPitch: [5, 12], newTrackArmed: true },
  { markersLeft: 20, firstMarkerSeconds: 3, drift: 0.2 },
  { markersLeft: 2, firstMarkerSeconds: 0, guess: 240, freshLooping: true, variant: "Standard" },
  { markersLeft: 9, firstMarkerSeconds: 1.9, warpingAfterTicks: 3, fresh: "unwarped" },
  { analysisTicks: 2, analysisOverwrites: "untouched", endSlackSeconds: 1 },
  {
    version: "12.0.5",
    variant: "Intro",
    limits: { tracks: 999, scenes: 999 },
    allowsPastFile: true,
    reanalyzesOnWarp: true,
    shadowRemoval: "can't be deleted",
  },
];

interface Cell {
  readonly plan: TrackPlan;
  readonly audio: AudioOfSound;
  readonly isShort: boolean;
}

interface CellOf {
  readonly tempoBpm: number;
  readonly beats: number;
  readonly rate: number;
  readonly tail: number | string;
}

const CELLS: readonly Cell[] = TEMPOS_BPM.flatMap((tempoBpm, turn) =>
  BEATS.flatMap((beats) =>
    RATES_HZ.flatMap((rate) =>
      [SHORT, TAILS[(turn + beats) % TAILS.length] ?? 0].map((tail) =>
        cell({ tempoBpm, beats, rate, tail }),
      ),
    ),
  ),
);

function cell({ tempoBpm, beats, rate: sampleRateHz, tail }: CellOf): Cell {
  const seconds = (beats * 60) / tempoBpm;
  const isShort = typeof tail === "string";
  const frames = isShort
    ? Math.ceil(seconds * sampleRateHz) - 1
    : Math.ceil((seconds + tail) * sampleRateHz);
  const soundId = [beats, tempoBpm, sampleRateHz, tail].join("-").replaceAll(" ", "");
  const names = { soundId, trackName: `${soundId} (Looper)`, clipName: soundId };
  const plan: TrackPlan = { ...LOOP, ...names, tempoBpm, loopEndBeats: beats };
  return { plan, audio: { frames, sampleRateHz }, isShort };
}

/** The Live with that number gets each eighth package. */
function packagesOf(number: number): readonly (readonly Cell[])[] {
  const count = Math.ceil(CELLS.length / SOUNDS_IN_A_PACKAGE);
  return Array.from({ length: count }, (_, index) => index)
    .filter((index) => index % LIVES.length === number)
    .map((index) => CELLS.slice(index * SOUNDS_IN_A_PACKAGE, (index + 1) * SOUNDS_IN_A_PACKAGE));
}

async function expectInTime(studio: LiveStudio, cells: readonly Cell[]): Promise<void> {
  const audio = new Map(cells.map((each) => [each.plan.soundId, each.audio]));
  const request = await studio.request(layoutOf(cells.map(({ plan }) => plan)), { audio });
  const placed = await studio.host.place(request);
  const { tracks } = await studio.live.dump();
  expect(tracks.slice(-cells.length).map(({ name }) => name)).toEqual(
    cells.map(({ plan }) => plan.trackName),
  );
  for (const { plan, isShort } of cells) {
    const { holds, tolerances } = placedOf(placed, plan.soundId);
    expect(compareSettings(plan, holds, tolerances), plan.soundId).toEqual([]);
    const track = tracks.find(({ name }) => name === plan.trackName);
    if (track === undefined) throw new Error(`${plan.trackName} is not there.`);
    const clip = clipOf(track);
    expect(track.volume, plan.soundId).toBe(0.85);
    const { warping, looping, startSeconds, loopStartSeconds, loopStart, startMarker } = clip;
    expect([warping, looping], plan.soundId).toEqual([true, true]);
    expect([startSeconds, loopStartSeconds, loopStart, startMarker], plan.soundId).toEqual([
      0, 0, 0, 0,
    ]);
    expect(Math.abs(clip.loopEnd - (plan.loopEndBeats ?? 0)), plan.soundId).toBeLessThan(1e-6);
    expect(beatsOff(clip, plan.tempoBpm ?? 0), plan.soundId).toBeLessThan(isShort ? 1e-4 : 1e-6);
  }
}

test.each(
  someOf(
    LIVES.map((habits, number) => ({ habits, number })),
    1,
  ),
)(
  "[H13] every loop plays in time, whatever its length, tempo, rate and tail: $habits",
  async ({ habits, number }) => {
    const studio = await liveStudio({ habits: { ...FASTEST_TICKS, ...habits } });
    for (const cells of packagesOf(number)) {
      await studio.live.reload({});
      await studio.live.run();
      await expectInTime(studio, cells);
    }
    expect(violationsIn(await studio.live.log())).toEqual([]);
  },
);
