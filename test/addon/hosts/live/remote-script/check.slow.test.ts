import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  factsOf,
  type LiveReport,
  withoutTimings,
} from "../../../../../core/protocol/live-report.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { openCheckedLive } from "./check-live.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { habitsOfReport } from "./habits-of-report.ts";
import { someOf } from "../../../../whole-forms.ts";

const RECORDED = join(import.meta.dirname, "../../../../../fixtures/live-reports/fake-live.json");

async function reportOf(habits: Partial<FakeHabits> = {}): Promise<LiveReport> {
  await using opened = await openCheckedLive(await temporaryFolder(), { habits });
  return await opened.check();
}

async function recorded(): Promise<LiveReport> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a report of this project
  return JSON.parse(await readFile(RECORDED, "utf8")) as LiveReport;
}

/** A report with another fact. */
function changed(report: LiveReport, id: string, facts: object): LiveReport {
  const checks = report.checks.map((check) =>
    check.id === id ? { ...check, facts: { ...check.facts, ...facts } } : check,
  );
  return { ...report, checks };
}

describe("in the fake Live", () => {
  test("[H21] the check leaves the Set, the sounds folder and the selection as they were", async () => {
    await using opened = await openCheckedLive(await temporaryFolder());
    const before = await opened.live.dump();
    const report = await opened.check();
    expect(report.stays).toBe(0);
    const { data: _marks, ...then } = await opened.live.dump();
    const { data: _none, ...was } = before;
    expect(then).toEqual(was);
    expect(await readdir(opened.soundsFolder)).toEqual([]);
    const { faults } = await opened.live.log();
    const names = faults.map(({ name }) => name);
    for (const name of ["LAUNCHES", "STOPS", "SELECTS", "WRITES_THE_TEMPO", "ARMS"]) {
      expect(names).not.toContain(name);
    }
  });

  test("[H21] the recorded report is what the fake Live's check finds", async () => {
    expect(withoutTimings(await reportOf())).toEqual(withoutTimings(await recorded()));
  });

  test("[H22] a fake Live with a report's habits gives the same report", async () => {
    const report = await recorded();
    const { callMs: _cost, tickMs: _tick, ...habits } = habitsOfReport(report);
    expect(withoutTimings(await reportOf(habits))).toEqual(withoutTimings(report));
  });

  test.each(
    someOf<[string, Partial<FakeHabits>]>(
      [
        ["another clip", { fresh: "unwarped", startMovedSeconds: 1.5, freshWarpMode: 0 }],
        ["another tempo", { fresh: "short loop", guess: 90, shadowRemoval: "can't be deleted" }],
        ["other types", { floatsRejectInts: ["Clip.gain"], intsRejectBools: false }],
        ["other markers", { markerKeywords: true, markerAtFileEnd: false, allowsPastFile: true }],
        ["another display", { gainDigits: 2, minus: "-", infinity: "-∞ dB" }],
        ["number signs", { numberSigns: true }],
        ["other tracks", { newTrackArmed: true, creatingSelects: true, inputTypes: ["Ext. In"] }],
      ],
      1,
    ),
  )("[H22] a check finds %s, and its report makes the fake so", async (_name, habits) => {
    const report = await reportOf(habits);
    expect(habitsOfReport(report)).toMatchObject(habits);
  });

  test("[H22] a changed report changes the fake Live", async () => {
    const report = changed(await recorded(), "fresh-loop", { warping: false, start_marker: 1.25 });
    const found = factsOf(await reportOf(habitsOfReport(report)), "fresh-loop");
    expect(found).toMatchObject({ warping: false, start_marker: 1.25 });
  });

  test("[H21] a check finds when a long file's analysis replaces markers, and its report makes the fake so", async () => {
    const files = { "Soundferry check minutes.wav": { analysisTicks: 60, guess: 127 } };
    const report = await reportOf({ files });
    expect(factsOf(report, "late-analysis")).toMatchObject({ replaces_markers: true, changes: 1 });
    const again = await reportOf(habitsOfReport(report));
    expect(factsOf(again, "late-analysis")).toMatchObject({ replaces_markers: true, changes: 1 });
  });

  test("[H21][H23] in Lite's default Set the check says that no scene is made, and takes none for good", async () => {
    await using opened = await openCheckedLive(await temporaryFolder(), {
      habits: { variant: "Lite" },
    });
    const before = await opened.live.dump();
    const report = await opened.check();
    expect(factsOf(report, "one-more-scene")).toMatchObject({ scenes: 8, takes_one_more: false });
    expect(factsOf(report, "placing")).toMatchObject({ error: null, cancelled: "cancelled" });
    expect(report.stays).toBe(0);
    const { scenes, tracks } = await opened.live.dump();
    expect(tracks).toEqual(before.tracks);
    // Live has no way to take a color off a scene again.
    const shown = (all: typeof scenes) => all.map(({ id, name, tempo }) => ({ id, name, tempo }));
    expect(shown(scenes)).toEqual(shown(before.scenes));
  });

  test.each(someOf([16, 18, 20, 22, 24, 26, 28, 30, 34], 3))(
    "[H21][H23] a scene that a check had taken when it crashed at change %i is given back, not removed",
    async (at) => {
      const home = await temporaryFolder();
      const habits = { variant: "Lite" } as const;
      const first = await openCheckedLive(home, { habits });
      const { scenes } = await first.live.dump();
      await first.live.killAt(at, { of: "changes", when: "after" });
      await expect(first.check()).rejects.toThrow(/connection to Live was lost/);
      const { set } = await first.live.ended;
      await using second = await openCheckedLive(home, { habits, set: set ?? {} });
      expect((await second.check()).stays).toBe(0);
      const names = (await second.live.dump()).scenes.map(({ name }) => name);
      expect(names).toEqual(scenes.map(({ name }) => name));
    },
  );

  test("[H21] a Set with a clip is refused and stays as it was", async () => {
    const set = { tracks: [{ clips: [{}] }] };
    await using opened = await openCheckedLive(await temporaryFolder(), { set });
    const before = await opened.live.dump();
    await expect(opened.check()).rejects.toThrow("This Set has clips. Open a new Set in Live");
    expect(await opened.live.dump()).toEqual(before);
  });

  test("[H21] a check that is cancelled while it asks removes everything", async () => {
    await using opened = await openCheckedLive(await temporaryFolder());
    const before = await opened.live.dump();
    const abort = new AbortController();
    const ask = async () => {
      expect((await opened.live.dump()).tracks.length).toBe(before.tracks.length + 2);
      abort.abort(new Error("Cancelled."));
      return null;
    };
    await expect(opened.check({ ask, signal: abort.signal })).rejects.toThrow("Cancelled.");
    const { tracks, scenes } = await opened.live.dump();
    expect({ tracks, scenes }).toEqual({ tracks: before.tracks, scenes: before.scenes });
  });

  test.each(someOf([12, 40, 90, 150], 2))(
    "[H21] what a crash at change %i left is removed at the next check",
    async (at) => {
      const home = await temporaryFolder();
      const first = await openCheckedLive(home);
      const before = await first.live.dump();
      await first.live.killAt(at, { of: "changes", when: "after" });
      await expect(first.check()).rejects.toThrow(/connection to Live was lost/);
      const { set } = await first.live.ended;
      await using second = await openCheckedLive(home, { set: set ?? {} });
      expect((await second.check()).stays).toBe(0);
      const { tracks, scenes } = await second.live.dump();
      const names = ({ tracks: all, scenes: rows }: Pick<typeof before, "tracks" | "scenes">) => [
        ...all.map(({ name }) => name),
        ...rows.map(({ name }) => name),
      ];
      expect(names({ tracks, scenes })).toEqual(names(before));
    },
  );

  test("[H21] what the person answers is in the report, and what they skip isn't", async () => {
    await using opened = await openCheckedLive(await temporaryFolder());
    const asked: string[] = [];
    const report = await opened.check({
      ask: async ({ id }) => {
        asked.push(id);
        if (id !== "playing") return null;
        await opened.live.edit({ do: "play" });
        return true;
      },
    });
    expect(asked).toEqual(["fresh-long-switched", "playing"]);
    expect(factsOf(report, "playing")).toMatchObject({ was_playing: true, plays_on: true });
    expect(factsOf(report, "fresh-long-switched")).toEqual({});
  });
});
