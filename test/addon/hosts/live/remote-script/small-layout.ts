import { expect } from "vitest";
import type { AlreadyPlacedError } from "../../../../../addon/hosts/already-placed.ts";
import type { JournalStep } from "../../../../../addon/hosts/host.ts";
import {
  layoutOf,
  LOOP,
  ONE_SHOT,
  placeRequest,
  withoutJournal,
} from "../../../../contracts/host/host-contract.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import type { FakeSet } from "./fake-live-set.ts";
import type { LiveStudio } from "./live-studio.ts";
import { tracksAfter } from "./look-in-set.ts";

/** A loop and a one-shot: few calls of Live. */
export const SMALL = layoutOf([
  { ...LOOP, tempoBpm: 120, loopEndBeats: 8, gainDb: 0 },
  { ...ONE_SHOT, gainDb: 0 },
]);
export const QUICK: Partial<FakeHabits> = { realTickMs: 1 };
/** The journal's steps of a run that placed the layout and never returned. */
const BEGUN: JournalStep = { label: "place the scene Kit (Looper)", state: "begun" };
export const RUN = "run-1";

/** The request of the next run after an interrupted one, which has the same id (rule R4). */
export async function nextRun(studio: LiveStudio, again = false) {
  const request = await studio.request(SMALL, { runId: RUN });
  const { journal } = await placeRequest(SMALL, { runId: RUN });
  const step: typeof journal.step = (...given) => journal.step(...given);
  return {
    ...request,
    journal: { runId: RUN, earlier: [BEGUN], step, together: withoutJournal },
    again,
  };
}

/** Returns the additions since before: the number of scenes, and the tracks' names with the number of each. */
export function added(before: FakeSet, after: FakeSet) {
  return {
    scenes: after.scenes.length - before.scenes.length,
    tracks: tracksAfter(before, after).map(({ name }) => name),
  };
}

export const ONCE = { scenes: 1, tracks: ["Beat (Looper)", "Kick (Looper)"] };
export const NOTHING = { scenes: 0, tracks: [] };

/** Checks that the question to the person names all that the Set has more than before, and no more. */
export function expectTold({ steps }: AlreadyPlacedError, before: FakeSet, set: FakeSet): void {
  const there = added(before, set);
  const told = steps.map(({ label }) => label);
  expect(there).not.toEqual(NOTHING);
  expect(told.filter((label) => label.startsWith("make the scene"))).toHaveLength(there.scenes);
  expect(told.filter((label) => label.includes("track"))).toHaveLength(there.tracks.length);
  for (const { name, data } of tracksAfter(before, set)) {
    if (data["soundferry"] !== undefined) expect(told).toContain(`make the track ${name}`);
  }
}
