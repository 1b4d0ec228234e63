import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import type { TrackPlan } from "../../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../../core/layout/usable-tracks.ts";
import {
  GUESSED,
  layoutOf,
  LOOP,
  ONE_SHOT,
  UNUSABLE,
} from "../../../../contracts/host/host-contract.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { liveStudio, placedOf } from "./live-studio.ts";
import { clipOf, lasting, tracksAfter } from "./look-in-set.ts";
import { violationsIn } from "./fake-live-log.ts";
import type { AudioOfSound } from "./sparse-wav.ts";
import { expectTrueReport } from "./true-report.ts";

const BPM = 120;

function sound(soundId: string, like: TrackPlan, more: Partial<TrackPlan> = {}): TrackPlan {
  return { ...like, soundId, trackName: `${soundId} (Looper)`, clipName: soundId, ...more };
}

const LOOP_120 = { tempoBpm: BPM, loopEndBeats: 8 };
/** All kinds of sounds: each file has 4 s at 8 kHz where nothing else is given. */
const LAYOUT = layoutOf([
  sound("beat", LOOP, LOOP_120),
  sound("long", LOOP, { ...LOOP_120, loopEndBeats: 12, gainDb: -20 }),
  sound("short", LOOP, { ...LOOP_120, gainDb: -70, warpMode: "complex" }),
  UNUSABLE,
  sound("guess", GUESSED, { gainDb: 24, colorIndex: 69 }),
  sound("bars", GUESSED, { loopEndBeats: 4, gainDb: 0 }),
  sound("kick", ONE_SHOT, { gainDb: 6.5 }),
  sound("hum", ONE_SHOT, { colorIndex: 0, gainDb: -0.5 }),
]);
const AUDIO = new Map<string, AudioOfSound>([
  ["short", { frames: 176_399, sampleRateHz: 44_100 }],
  ["hum", { frames: 12_345, sampleRateHz: 44_100 }],
]);
/** A loop whose file has only 8 of the 12 beats. */
const ENDS_EARLY = { long: ["loop_beats"] };
/** Live hears 30 BPM: 2 of 4 beats. */
const TWO_BEATS = { bars: ["loop_beats"] };
/** A habit: after the last visible marker, Live plays on in a tempo of its own. */
const OWN_SLOPE = {
  beat: ["warp_markers"],
  long: ["loop_beats", "warp_markers"],
  short: ["warp_markers"],
};

interface Row {
  readonly habits: Partial<FakeHabits>;
  /** Names of settings by sound. */
  readonly differ?: Readonly<Record<string, readonly string[]>>;
}

const ROWS: readonly Row[] = [
  { habits: {} },
  { habits: { fresh: "unwarped" } },
  { habits: { fresh: "unwarped", startMovedSeconds: 3, unwarpedMarkers: "raises" } },
  { habits: { fresh: "unwarped", unwarpedMarkers: "empty", warpingAfterTicks: 4 } },
  { habits: { fresh: "short loop" } },
  { habits: { freshLooping: true, freshWarpMode: 6, freshGain: 0.1, freshPitch: [3, 20] } },
  { habits: { markersLeft: 20, firstMarkerSeconds: 3, drift: 0.3 } },
  {
    habits: { markersLeft: 1, firstMarkerSeconds: 3, guess: 30 },
    differ: { ...ENDS_EARLY, ...TWO_BEATS },
  },
  { habits: { guess: 480, markersLeft: 3 } },
  { habits: { shadowSlope: "own", guess: 97 }, differ: OWN_SLOPE },
  { habits: { shadowSlope: "own", fresh: "short loop", guess: 97 }, differ: OWN_SLOPE },
  { habits: { shadowRemoval: "can't be deleted", removesLastMarker: true } },
  { habits: { markerAtFileEnd: false } },
  { habits: { allowsPastFile: true }, differ: {} },
  { habits: { endSlackSeconds: 0.5 } },
  { habits: { warpingReadsAtOnce: true } },
  { habits: { warpingAndMarkers: "crash", warpingAndLooping: "crash" } },
  { habits: { version: "12.0.5", fresh: "unwarped", warpingAfterTicks: 2 } },
  { habits: { version: "12.1.0", variant: "Standard", unwarpingKeepsLooping: false } },
  { habits: { reanalyzesOnWarp: true, fresh: "unwarped", drift: 0.2 } },
  { habits: { analysisTicks: 1, fresh: "auto-warped" } },
  { habits: { analysisTicks: 6, analysisOverwrites: "untouched" } },
  { habits: { analysisTicks: 3, analysisOverwrites: "always" } },
  { habits: { createReturnsClip: false, reusesAddresses: false } },
  { habits: { filePaths: "resolved" } },
  { habits: { gainDigits: 2, minus: "-", infinity: "-\u221e dB" } },
  { habits: { newTrackArmed: true, variant: "Trial" } },
  { habits: { inputTypes: ["Ext. In", "Resampling"] } },
  { habits: { loopingTurnsWarpOn: false, intsRejectBools: false, boolsRejectInts: false } },
  { habits: { floatsRejectInts: [], markerKeywords: true } },
  { habits: { drift: 0.9, markersLeft: 12, firstMarkerSeconds: 0 } },
];

test.each(ROWS)("[H14] reports what Live holds: $habits", async ({ habits, differ }) => {
  const studio = await liveStudio({ habits });
  const request = await studio.request(LAYOUT, { audio: AUDIO });
  const before = await studio.live.dump();
  const placed = await studio.host.place(request);
  const [after, log] = [await studio.live.dump(), await studio.live.log()];
  expectTrueReport(LAYOUT, placed, [before, after]);
  expect(violationsIn(log)).toEqual([]);
  const differences = usableTracks(LAYOUT).map((plan): [string, string[]] => {
    const { holds, tolerances } = placedOf(placed, plan.soundId);
    return [plan.soundId, compareSettings(plan, holds, tolerances).map(({ setting }) => setting)];
  });
  expect(Object.fromEntries(differences.filter(([, names]) => names.length > 0))).toEqual(
    differ ?? ENDS_EARLY,
  );
});

test("[H13] a one-shot has its whole file, and a loop without a tempo starts at the first sample", async () => {
  const studio = await liveStudio({ habits: { startMovedSeconds: 2, firstMarkerSeconds: 1.5 } });
  const before = await studio.live.dump();
  const placed = await studio.host.place(await studio.request(LAYOUT, { audio: AUDIO }));
  const made = tracksAfter(before, await studio.live.dump());
  const clips = new Map(made.map((track) => [clipOf(track).name, clipOf(track)]));
  for (const shot of ["kick", "hum"]) {
    const { startSeconds, endSeconds, frames, sampleRate, warping, looping } =
      clips.get(shot) ?? {};
    expect([startSeconds, endSeconds], shot).toEqual([0, Number(frames) / Number(sampleRate)]);
    expect([warping, looping], shot).toEqual([false, false]);
  }
  for (const guess of ["guess", "bars"]) {
    const { startSeconds = NaN, loopStartSeconds = NaN } = clips.get(guess) ?? {};
    expect(Math.max(Math.abs(startSeconds), Math.abs(loopStartSeconds)), guess).toBeLessThan(1e-6);
    expect(placedOf(placed, guess).notes.join(" "), guess).toMatch(/Live heard [\d.]+ BPM\./);
  }
});

test("[H13] settings that were saved beside the file are not taken over", async () => {
  const studio = await liveStudio();
  const saved = {
    warping: false,
    looping: false,
    gain: 0.9,
    pitch_coarse: 7,
    pitch_fine: 30,
    warp_mode: 3,
    play: [1, 2],
    brace: [1, 2],
    markers: [
      [1, 5],
      [2, 9],
    ],
  };
  const request = await studio.request(LAYOUT, { audio: AUDIO });
  for (const path of request.files.values()) await writeFile(`${path}.asd`, JSON.stringify(saved));
  const before = await studio.live.dump();
  const placed = await studio.host.place(request);
  const after = await studio.live.dump();
  expectTrueReport(LAYOUT, placed, [before, after]);
  for (const plan of usableTracks(LAYOUT).filter(({ soundId }) => soundId !== "long")) {
    const { holds, tolerances } = placedOf(placed, plan.soundId);
    expect(compareSettings(plan, holds, tolerances), plan.soundId).toEqual([]);
  }
  for (const track of tracksAfter(before, after)) {
    const { pitchCoarse, pitchFine, name } = clipOf(track);
    expect([pitchCoarse, pitchFine], name).toEqual([0, 0]);
  }
});

test("[H13] every gain from -70 to +24 dB is on the clip, and every fader at 0 dB", async () => {
  const gains = [-70, -69.9, -50, -36, -24.5, -18, -12, -6.02, -3, -1, -0.1, 0, 0.1, 3, 12, 24];
  const layout = layoutOf(
    gains.map((gainDb) => sound(`gain ${gainDb}`, LOOP, { ...LOOP_120, gainDb })),
  );
  const studio = await liveStudio();
  const before = await studio.live.dump();
  const placed = await studio.host.place(await studio.request(layout));
  const made = tracksAfter(before, await studio.live.dump());
  for (const [index, gainDb] of gains.entries()) {
    const track = made[index];
    if (track === undefined) throw new Error(`There is no track for ${gainDb} dB.`);
    expect(Math.abs((clipOf(track).gainDb ?? -70) - gainDb), `${gainDb} dB`).toBeLessThan(0.1);
    expect(track.volume).toBe(0.85);
    const { holds, tolerances } = placedOf(placed, `gain ${gainDb}`);
    expect(
      compareSettings({ ...LOOP, ...layout.tracks[index], gainDb }, holds, tolerances),
    ).toEqual([]);
  }
});

test("[H12] a playing Set plays on: nothing is selected, launched or stopped, and one undo takes it all back", async () => {
  const set = {
    isPlaying: true,
    selectedScene: 2,
    selectedTrack: 1,
    tempo: 97,
    scenes: ["A", "B", "C", "D"].map((name) => ({ name })),
  };
  const studio = await liveStudio({ set });
  const before = await studio.live.dump();
  await studio.host.place(await studio.request(LAYOUT, { audio: AUDIO }));
  const after = await studio.live.dump();
  expect(after).toMatchObject({ isPlaying: true, tempo: 97, selectedTrack: 1, selectedScene: 2 });
  expect(after.scenes.map(({ name }) => name)).toEqual(["A", "B", "C", "Kit (Looper)", "D"]);
  const made = tracksAfter(before, after);
  expect(made.map(({ name }) => name)).toEqual(
    usableTracks(LAYOUT).map(({ trackName }) => trackName),
  );
  expect(made.map((track) => clipOf(track).row)).toEqual(made.map(() => 3));
  expect(made.map(({ arm, inputType }) => [arm, inputType])).toEqual(
    made.map(() => [false, "No Input"]),
  );
  const log = await studio.live.log();
  expect(violationsIn(log)).toEqual([]);
  expect(log.undo.filter(({ author }) => author === "script")).toHaveLength(1);
  await studio.live.edit({ do: "undo" });
  expect(lasting(await studio.live.dump())).toEqual(lasting(before));
});
