import { expect, test } from "vitest";
import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import type { TrackPlan } from "../../../../../core/layout/layout.ts";
import { someOf } from "../../../../whole-forms.ts";
import { layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import type { FakeFileHabits, FakeHabits } from "./fake-live-habits.ts";
import { violationsIn } from "./fake-live-log.ts";
import type { FakeClip, FakeSet } from "./fake-live-set.ts";
import { differencesIn, lastLook } from "./follow-live.ts";
import { liveStudio, placedOf } from "./live-studio.ts";
import { clipOf, tracksAfter } from "./look-in-set.ts";
import { QUICK, RUN } from "./small-layout.ts";
import { expectTrueReport } from "./true-report.ts";

/** Twelve stems of one song: 291 beats at 97 BPM are exactly 180 s. */
const [BPM, BEATS, SECONDS, RATE_HZ] = [97, 291, 180, 8000];
const IDS = Array.from({ length: 12 }, (_, index) => `stem-${index + 1}`);
const BARS = [1, 33, 65];

function stem(soundId: string, plan: TrackPlan): TrackPlan {
  return { ...plan, soundId, trackName: `${soundId} (Mixer)`, clipName: soundId, gainDb: 0 };
}

const LOOPS = layoutOf(
  IDS.map((id) =>
    stem(id, { ...LOOP, warpMode: "complex_pro", tempoBpm: BPM, loopEndBeats: BEATS }),
  ),
);
const AS_RECORDED = layoutOf(IDS.map((id) => stem(id, ONE_SHOT)));

/** Auto-Warp's results, one for each stem in turn: another tempo, another first beat, more or fewer markers. */
const HEARD: readonly Partial<FakeFileHabits>[] = [
  { guess: 97 },
  { guess: 96.98, markersLeft: 40, drift: 0.01 },
  { guess: 194, markersLeft: 2, firstMarkerSeconds: 0.31 },
  { guess: 48.5, firstMarkerSeconds: 2.47 },
  { guess: 127.31, markersLeft: 20, firstMarkerSeconds: 3, drift: 0.2 },
  { guess: "powers of two", firstMarkerSeconds: 0 },
];

/** Each stem is heard in another way. */
function heardBy(more: Partial<FakeFileHabits> = {}): FakeHabits["files"] {
  return Object.fromEntries(
    IDS.map((id, index) => [`${id}.wav`, { ...HEARD[index % HEARD.length], ...more }]),
  );
}

/** Returns the sample of the file that a clip plays at a bar of four beats, whole as Live's marker view shows it. */
function sampleAt({ markers, shadow, sampleRate }: FakeClip, bar: number): number {
  const beat = (bar - 1) * 4;
  const all = [...markers, shadow];
  const index = Math.max(
    1,
    all.findIndex(([, next]) => next > beat),
  );
  const [[s0, b0], [s1, b1]] = [all[index - 1] ?? [0, 0], all[index] ?? [0, 1]];
  return (s0 + ((beat - b0) * (s1 - s0)) / (b1 - b0)) * sampleRate;
}

/** The largest distance between two stems, in samples. */
function apart(clips: readonly FakeClip[], bar: number): number {
  const samples = clips.map((clip) => sampleAt(clip, bar));
  return Math.max(...samples) - Math.min(...samples);
}

function expectTogether(clips: readonly FakeClip[]): void {
  for (const bar of BARS) {
    expect(apart(clips, bar)).toBe(0);
    const expected = ((bar - 1) * 240 * RATE_HZ) / BPM;
    for (const clip of clips) expect(sampleAt(clip, bar)).toBeCloseTo(expected, 3);
  }
}

function temposIn(placed: readonly PlacedSound[]): ReadonlySet<unknown> {
  return new Set(IDS.map((id) => placedOf(placed, id).holds.tempoBpm?.toFixed(9)));
}

async function imported(
  layout: typeof LOOPS,
  habits: Partial<FakeHabits>,
  frames?: readonly number[],
) {
  const studio = await liveStudio({ habits: { ...QUICK, ...habits } });
  const before = await studio.live.dump();
  const audio = new Map(
    IDS.map((id, index) => [
      id,
      { frames: frames?.[index] ?? SECONDS * RATE_HZ, sampleRateHz: RATE_HZ },
    ]),
  );
  const placed = await studio.host.place(await studio.request(layout, { runId: RUN, audio }));
  const last = await lastLook(studio, placed);
  const after: FakeSet = await studio.live.dump();
  expectTrueReport(layout, last, [before, after]);
  expect(violationsIn(await studio.live.log())).toEqual([]);
  return { last, clips: tracksAfter(before, after).map(clipOf) };
}

/** Every way in which Auto-Warp may leave the clips, and when it ends. */
const LIVES: Readonly<Record<string, Partial<FakeHabits>>> = {
  "at once": { files: heardBy() },
  "a tick later": { files: heardBy({ analysisTicks: 1 }) },
  "before the first look": { files: heardBy({ analysisTicks: 15 }) },
  "only over untouched markers": {
    files: heardBy({ analysisTicks: 4, analysisOverwrites: "untouched" }),
  },
  "in unwarped clips": {
    files: heardBy({ fresh: "unwarped", startMovedSeconds: 3, warpingAfterTicks: 3 }),
  },
  "again on warping": { files: heardBy({ fresh: "short loop", reanalyzesOnWarp: true }) },
  "with a marker at the end": { files: heardBy({ markerAtFileEnd: true, endSlackSeconds: 1 }) },
  "in Live 12.0.5 Intro": {
    files: heardBy(),
    version: "12.0.5",
    variant: "Intro",
    limits: { tracks: 99, scenes: 99 },
  },
};
const WAYS = Object.keys(LIVES);

test.each(someOf(WAYS, 3))(
  "[H25] twelve loops of 180 s are 0 samples apart at bars 1, 33 and 65, at one tempo, where Live analyzes %s",
  async (way) => {
    const { last, clips } = await imported(LOOPS, LIVES[way] ?? {});
    expect(differencesIn(LOOPS, last)).toEqual({});
    expect([...temposIn(last)]).toEqual([BPM.toFixed(9)]);
    expect(clips).toHaveLength(12);
    expectTogether(clips);
    for (const clip of clips) expect(clip).toMatchObject({ startSeconds: 0, warping: true });
  },
);

test("[H25] a hidden last marker that Live keeps is reported, and moves nothing before the loop's end", async () => {
  const files = heardBy({ shadowSlope: "own", shadowRemoval: "can't be deleted" });
  const { last, clips } = await imported(LOOPS, { files });
  const named = new Set(Object.values(differencesIn(LOOPS, last)).flat());
  expect(named).toEqual(new Set(["warp_markers", "tempo_bpm"]));
  expectTogether(clips);
});

test("[H25] a stem that Live analyzes after it was repaired is reported, and the others are together", async () => {
  const files = { ...heardBy(), "stem-4.wav": { ...HEARD[3], analysisTicks: 60 } };
  const { last, clips } = await imported(LOOPS, { files });
  const differences = differencesIn(LOOPS, last);
  expect(Object.keys(differences)).toEqual(["stem-4"]);
  expect(differences["stem-4"]).toContain("tempo_bpm");
  const others = clips.filter(({ name }) => name !== "stem-4");
  expect(others).toHaveLength(11);
  expectTogether(others);
});

test("[H25] stems that end within one buffer of each other get the same two markers' line", async () => {
  const frames = IDS.map((_, index) => SECONDS * RATE_HZ + (index % 3) * 2048);
  const { last, clips } = await imported(LOOPS, { files: heardBy() }, frames);
  expect(differencesIn(LOOPS, last)).toEqual({});
  expect([...temposIn(last)]).toEqual([BPM.toFixed(9)]);
  for (const bar of BARS) expect(apart(clips, bar)).toBeLessThan(1e-3);
  expect(new Set(clips.map(({ loopEnd }) => loopEnd))).toEqual(new Set([BEATS]));
});

test.each(someOf(WAYS, 2))(
  "[H25] twelve one-shots as recorded are unwarped and start at sample 0, where Live analyzes %s",
  async (way) => {
    const { last, clips } = await imported(AS_RECORDED, LIVES[way] ?? {});
    expect(differencesIn(AS_RECORDED, last)).toEqual({});
    expect(clips).toHaveLength(12);
    for (const clip of clips) {
      expect(clip).toMatchObject({ warping: false, looping: false, startSeconds: 0 });
      expect(clip.startMarker).toBe(0);
    }
  },
);
