import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FakeHabits } from "./fake-live-habits.ts";
import { violationsIn } from "./fake-live-log.ts";
import { openScript, soundFile } from "./probe-live.ts";

/** The fake's name for each script's mistake. */
const MISTAKES: Readonly<Record<string, string>> = {
  "start-before-looping": "START_BEFORE_LOOPING",
  "warping-and-markers-in-one-tick": "WARPING_AND_MARKERS_IN_ONE_TICK",
  "warping-and-looping-in-one-tick": "WARPING_AND_LOOPING_IN_ONE_TICK",
  "looping-without-warping": "LOOPING_TURNS_WARP_ON",
  "floats-for-ints": "FLOAT_FOR_INT",
  "ints-for-floats": "INT_FOR_FLOAT",
  "loop-end-past-the-file": "LOOP_END_PAST_THE_FILE",
  "swapped-marker-arguments": "MARKER_ARGUMENTS_SWAPPED",
  "selects-a-scene": "SELECTS",
  "launches-a-clip": "LAUNCHES",
  "works-in-a-thread": "OFF_THE_MAIN_THREAD",
  "leaves-a-timer": "TIMER_OUTLIVES_THE_SCRIPT",
  "keeps-the-song": "OBJECT_OF_A_CLOSED_SET",
  "misspells-a-property": "UNKNOWN_PROPERTY",
};
/** Enough for every step. */
const TICKS = 10;
/** A habit of new clips. */
const FRESH: readonly Partial<FakeHabits>[] = [
  { fresh: "auto-warped" },
  { fresh: "auto-warped", markersLeft: 20, firstMarkerSeconds: 1.9, drift: 0.2 },
  { fresh: "unwarped" },
  { fresh: "short loop" },
];

async function faultsOf(script: string, habits: Partial<FakeHabits> = {}) {
  const SOUND = await soundFile();
  await using live = await openScript(`wrong-scripts/${script}`, { habits, env: { SOUND } });
  await live.tick(TICKS);
  await live.reload();
  await live.tick(TICKS);
  const set = await live.dump();
  return { set, log: await live.close() };
}

describe("in the fake Live", () => {
  test.each(FRESH)("a right script has no fault, and its clip is in time: %j", async (habits) => {
    const { set, log } = await faultsOf("nothing-wrong", habits);
    expect(log.faults).toEqual([]);
    const clip = set.tracks.at(-1)?.clips[0];
    expect(clip).toMatchObject({ warping: true, looping: true, loopStart: 0, loopEnd: 8 });
    expect(clip).toMatchObject({ startSeconds: 0, loopStartSeconds: 0, endSeconds: 4 });
  });

  test.each(Object.entries(MISTAKES))("the script %s fails by name: %s", async (script, name) => {
    const { log } = await faultsOf(script);
    expect(log.faults[0]?.name).toBe(name);
    expect(violationsIn(log)).not.toEqual([]);
  });

  test("every wrong script is one of these", () => {
    const folders = readdirSync(join(import.meta.dirname, "wrong-scripts"), {
      withFileTypes: true,
    });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(names.filter((name) => name !== "__pycache__").toSorted()).toEqual(
      [...Object.keys(MISTAKES), "nothing-wrong"].toSorted(),
    );
  });
});
