import { expect, test } from "vitest";
import { compareSettings } from "../../addon/runs/compare-settings.ts";
import type { TrackPlan } from "../../core/layout/layout.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import { GUESSED, layoutOf, LOOP, ONE_SHOT, UNUSABLE } from "../contract/host-contract.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { type AudioOfSound, liveStudio, placedOf } from "./live-studio.ts";
import { violationsIn } from "./named-faults.ts";
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
/** Its file has only 8 of the 12 beats. */
const ENDS_EARLY = { long: ["loop_beats"] };

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
  { habits: { markersLeft: 1, firstMarkerSeconds: 3, guess: 30 } },
  { habits: { guess: 480, markersLeft: 3 } },
  { habits: { shadowSlope: "own", guess: 97 } },
  { habits: { shadowSlope: "own", fresh: "short loop", guess: 97 } },
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
  { habits: { analysisTicks: 6, analysisOverwrites: "always" } },
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
    return [
      plan.soundId,
      compareSettings(plan, holds, tolerances).map(({ setting }) => setting),
    ];
  });
  expect(Object.fromEntries(differences.filter(([, names]) => names.length > 0))).toEqual(
    differ ?? ENDS_EARLY,
  );
});
