import { expect, test } from "vitest";
import { AlreadyPlacedError } from "../../../../../addon/hosts/already-placed.ts";
import {
  type HostJournal,
  HostStepError,
  type JournalStep,
  LeftBehindError,
} from "../../../../../addon/hosts/host.ts";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import {
  GUESSED,
  layoutOf,
  LOOP,
  ONE_SHOT,
  withoutJournal,
} from "../../../../contracts/host/host-contract.ts";
import { until } from "../../../../sim/until.ts";
import { placedOf, surfaceStudio } from "./surface-studio.ts";
import { soon } from "../../../../sim/soon.ts";

const KIT = layoutOf([LOOP, GUESSED, ONE_SHOT]);
const MADE = {
  scenes: ["Kit (Looper)"],
  tracks: ["Beat (Looper)", "Pad (Looper)", "Kick (Looper)"],
};
const NOTHING = { scenes: [], tracks: [] };

/** A journal that keeps to itself, with the steps of an earlier run. */
function journalWith(earlier: readonly JournalStep[], runId = "run-1"): HostJournal {
  return { runId, earlier, step: async (_, act) => act(), together: withoutJournal };
}

test("[H14] everything is as planned, and the report has no differences", async () => {
  const { host, request } = await surfaceStudio();
  const placed = await host.place(await request(KIT));
  for (const plan of [LOOP, GUESSED, ONE_SHOT]) {
    const { holds, tolerances, unchecked } = placedOf(placed, plan.soundId);
    expect(compareSettings(plan, holds, tolerances)).toEqual([]);
    expect(unchecked).toEqual([]);
  }
  expect(placedOf(placed, "__proto__").notes).toContain("Live heard 97 BPM.");
});

test("[H15] writes the scene's tempo only where the person switched it on and the package has one", async () => {
  for (const [isOn, tempoBpm, written] of [
    [false, 140, null],
    [true, null, null],
    [true, 140, 140],
  ] as const) {
    const { host, surface, request } = await surfaceStudio();
    const layout = { ...KIT, session: { tempoBpm, timeSignature: null } };
    await host.place(await request(layout, { settings: { "scene-tempo": isOn } }));
    expect(surface.set.sceneTempos).toEqual([written]);
  }
});

test("[H1] asks for the scene below the selected one, or where the menu was opened", async () => {
  const below = await surfaceStudio();
  await below.host.place(await below.request(KIT));
  expect(below.surface.set.rows).toEqual([null]);
  const menu = await surfaceStudio({ deps: { rowOf: () => 3 } });
  await menu.host.place(await menu.request(KIT, { after: {} }));
  expect(menu.surface.set.rows).toEqual([3]);
});

test("[R6] says at every loop if the Set hasn't the tempo that was asked for", async () => {
  const right = await surfaceStudio();
  const placed = await right.host.place(await right.request(KIT, { sessionTempoBpm: 140 }));
  expect(right.surface.set.tempo).toBe(140);
  const text = "The Set's tempo is 120 BPM, not 140 BPM.";
  expect(placedOf(placed, "beat").notes).not.toContain(text);
  const wrong = await surfaceStudio();
  wrong.surface.set.keepsTempo = true;
  const other = await wrong.host.place(await wrong.request(KIT, { sessionTempoBpm: 140 }));
  expect(placedOf(other, "beat").notes).toContain(text);
  expect(placedOf(other, "kick").notes).not.toContain(text);
});

test("[R4] a run that the control surface finished meanwhile is not made twice", async () => {
  const { host, surface, request, restart } = await surfaceStudio();
  await host.place(await request(KIT));
  const placed = await host.place(await request(KIT));
  expect(placedOf(placed, "beat").holds).toMatchObject({ loopEndBeats: 16 });
  expect(surface.set.look()).toEqual(MADE);
  await surface.quit();
  const later = await restart();
  await host.place(await request(KIT));
  expect(later.set.look()).toEqual(MADE);
  // The person asks for it once more.
  await host.place(await request(KIT, { again: true }));
  expect(later.set.look().scenes).toHaveLength(2);
});

test("[R4] asks if another way into Live may have left something, unless told to go on", async () => {
  const { host, surface, request } = await surfaceStudio();
  const step = { label: "make the scene Kit (Looper)", state: "begun" } as const;
  const harmless = { label: "take the file of Beat into the project", state: "done" } as const;
  const asked = await request(KIT, { journal: journalWith([step]) });
  await expect(host.place(asked)).rejects.toThrow(AlreadyPlacedError);
  expect(surface.set.look()).toEqual(NOTHING);
  await host.place({ ...asked, journal: journalWith([{ ...harmless, leavesNothing: true }]) });
  await host.place({ ...asked, again: true });
  expect(surface.set.look().scenes).toHaveLength(2);
});

test("[H16] says which limit of the edition was reached, and leaves nothing", async () => {
  const { host, surface, request } = await surfaceStudio({ edition: "Lite", trackLimit: 0 });
  const placing = host.place(await request(KIT));
  await expect(placing).rejects.toThrow(HostStepError);
  await expect(host.place(await request(KIT))).rejects.toThrow(
    "place the scene Kit (Looper): Live Lite takes only 0 tracks in a Set.",
  );
  expect(surface.set.look()).toEqual(NOTHING);
});

test("[H16] names what Live could not remove", async () => {
  const { host, request } = await surfaceStudio({ refusedTrack: 2, clings: true });
  const placing = host.place(await request(KIT));
  await expect(placing).rejects.toThrow(LeftBehindError);
  await expect(placing).rejects.toThrow("Still in the Set: Beat (Looper), Pad (Looper).");
});

test("[H7] a clip that can't be made costs only that sound", async () => {
  const { host, surface, request } = await surfaceStudio({ failing: ["beat"] });
  const [beat, pad] = await host.place(await request(KIT));
  const error = "Live couldn't make the clip Beat: Invalid file.";
  expect(beat).toEqual({ soundId: "beat", error });
  expect(pad).toHaveProperty("holds");
  expect(surface.set.look().tracks).toEqual(["Pad (Looper)", "Kick (Looper)"]);
});

test("[H12] an open menu in Live delays an import, and it still counts as ready", async () => {
  const { host, surface, request } = await surfaceStudio();
  expect(await host.isReady()).toBe(true);
  expect(host.describe()).toBe("Live 12.1.5 Standard");
  surface.pause();
  expect(await host.isReady()).toBe(true);
  const before = surface.lines;
  const placing = host.place(await request(KIT));
  await until(() => surface.connections > 1);
  expect(surface.lines).toBe(before);
  surface.resume();
  await placing;
  expect(surface.set.look()).toEqual(MADE);
  surface.kill();
  await soon(() => host.isReady()).toBe(false);
});

test("[H12] an import says what to do where Live doesn't answer, and isn't the sounds' failure", async () => {
  const { host, surface, request } = await surfaceStudio();
  await surface.quit();
  const placing = host.place(await request(KIT));
  await expect(placing).rejects.toThrow("Live doesn't answer. Open Live and choose Soundferry");
  await expect(placing).rejects.not.toThrow(HostStepError);
});

test("[R4] waits for another run at the control surface", async () => {
  const { host, surface, request } = await surfaceStudio();
  const other = layoutOf([ONE_SHOT], "pkg_b");
  await Promise.all([
    host.place(await request(KIT, { runId: "run-1" })),
    host.place(await request(other, { runId: "run-2" })),
  ]);
  expect(surface.set.look().scenes).toHaveLength(2);
});
