import { describe, expect, test } from "vitest";
import type { FakeHabits } from "./fake-live-habits.ts";
import { violationsIn } from "./fake-live-log.ts";
import { openScript, soundFile } from "./probe-live.ts";

/** The fake's names for the mistakes that the script can make. */
const MISTAKES = [
  "START_BEFORE_LOOPING",
  "WARPING_AND_MARKERS_IN_ONE_TICK",
  "WARPING_AND_LOOPING_IN_ONE_TICK",
  "LOOPING_TURNS_WARP_ON",
  "FLOAT_FOR_INT",
  "INT_FOR_FLOAT",
  "LOOP_END_PAST_THE_FILE",
  "MARKER_ARGUMENTS_SWAPPED",
  "SELECTS",
  "LAUNCHES",
  "OFF_THE_MAIN_THREAD",
  "TIMER_OUTLIVES_THE_SCRIPT",
  "OBJECT_OF_A_CLOSED_SET",
  "UNKNOWN_PROPERTY",
];
/** Enough for every step. */
const TICKS = 10;
/** A habit of new clips. */
const FRESH: readonly Partial<FakeHabits>[] = [
  { fresh: "auto-warped" },
  { fresh: "auto-warped", markersLeft: 20, firstMarkerSeconds: 1.9, drift: 0.2 },
  { fresh: "unwarped" },
  { fresh: "short loop" },
];

async function faultsOf(mistake: object, habits: Partial<FakeHabits> = {}) {
  const env = { SOUND: await soundFile(), ...mistake };
  await using live = await openScript("wrong-scripts", { habits, env });
  await live.tick(TICKS);
  await live.reload();
  await live.tick(TICKS);
  const set = await live.dump();
  return { set, log: await live.close() };
}

describe("in the fake Live", () => {
  test.each(FRESH)("a right script has no fault, and its clip is in time: %j", async (habits) => {
    const { set, log } = await faultsOf({}, habits);
    expect(log.faults).toEqual([]);
    const clip = set.tracks.at(-1)?.clips[0];
    expect(clip).toMatchObject({ warping: true, looping: true, loopStart: 0, loopEnd: 8 });
    expect(clip).toMatchObject({ startSeconds: 0, loopStartSeconds: 0, endSeconds: 4 });
  });

  test.each(MISTAKES)("a script with the mistake %s fails by its name", async (MISTAKE) => {
    const { log } = await faultsOf({ MISTAKE });
    expect(log.faults[0]?.name).toBe(MISTAKE);
    expect(violationsIn(log)).not.toEqual([]);
  });
});
