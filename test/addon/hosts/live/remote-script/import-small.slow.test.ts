import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { buildImporter } from "../../../../../addon/build-importer.ts";
import { FolderHost } from "../../../../../addon/hosts/folder/folder-host.ts";
import { ControlSurfaceHost } from "../../../../../addon/hosts/live/remote-script/control-surface-host.ts";
import type { ImportOutcome } from "../../../../../core/protocol/import-outcome.ts";
import { soon } from "../../../../sim/soon.ts";
import { someOf } from "../../../../whole-forms.ts";
import { settingsIn, writeLocalPackage } from "../../../importer-at-work.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import type { FakeSet, FakeSetGiven } from "./fake-live-set.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";

/** The Set that Live opens with: two audio tracks and eight empty scenes, as by default. */
const DEFAULT: FakeSetGiven = {};
const REASON = "Live Lite takes 8 tracks in a Set. This sound is in the sounds folder.";
const TAKEN =
  "Live Lite takes 8 scenes in a Set, so the clips are in an empty scene that was there.";
/** The tracks that fit beside those of the default Set. */
const FIT = 6;

/** An importer of its own for a fake Live, as after a restart, and a package of one-shots that it can import. */
async function musician(count: number, habits: Partial<FakeHabits>, set = DEFAULT) {
  const studio = await liveStudio({ habits: { realTickMs: 1, ...habits }, set });
  const names = Array.from({ length: count }, (_, index) => `Sound ${index + 1}`);
  const folder = await writeLocalPackage(join(await temporaryFolder(), "Kit"), "Kit", names);
  return { studio, names, folder, newImporter: () => newImporter(studio) };
}

async function newImporter({ folder: dataFolder, sounds: soundsFolder }: LiveStudio) {
  const live = new ControlSurfaceHost({ folders: [dataFolder], dataFolder });
  const settings = { ...settingsIn(await temporaryFolder(), null), dataFolder, soundsFolder };
  const importer = buildImporter({ settings, host: new FolderHost(), preferredHosts: [live] });
  onTestFinished(() => importer.close());
  await importer.start();
  return importer;
}

function namesIn({ tracks, scenes }: Pick<FakeSet, "tracks" | "scenes">) {
  return { tracks: tracks.map(({ name }) => name), scenes: scenes.map(({ name }) => name) };
}

function statusesOf({ tracks }: ImportOutcome): readonly string[] {
  return tracks.map(({ status }) => status);
}

describe("Live Lite with its default Set", () => {
  test.each(someOf([1, 9, 17, 32], 2))(
    "[R17][H23] of %i sounds as many as fit are placed, the rest are skipped, and all are on the disk",
    async (count) => {
      const {
        studio,
        names,
        folder,
        newImporter: open,
      } = await musician(count, { variant: "Lite" });
      const before = namesIn(await studio.live.dump());
      expect([before.tracks.length, before.scenes.length]).toEqual([2, 8]);
      const importer = await open();
      const outcome = await importer.import(folder);
      const placed = Math.min(count, FIT);
      const rest = count - placed;
      expect(outcome.status).toBe(rest === 0 ? "imported" : "partial");
      expect(statusesOf(outcome)).toEqual([
        ...Array(placed).fill("imported"),
        ...Array(rest).fill("skipped"),
      ]);
      for (const [index, track] of outcome.tracks.entries()) {
        expect(track.differences).toEqual([]);
        expect(existsSync(join(String(outcome.folder), String(track.file)))).toBe(true);
        if (index < placed) expect(track.notes).toContain(TAKEN);
        else expect(track.error).toBe(REASON);
      }
      const after = namesIn(await studio.live.dump());
      const made = names.slice(0, placed).map((name) => `${name} (Looper)`);
      expect(after.tracks).toEqual([...before.tracks, ...made]);
      expect(after.scenes.filter((name) => name === "Kit (Looper)")).toHaveLength(1);
      expect(after.scenes).toHaveLength(8);
      if (rest === 0) return;
      await soon(() => importer.state.host.room).toEqual({ tracks: 0 });
      await studio.live.reload(DEFAULT);
      await soon(() => importer.state.host.room).toEqual({ tracks: FIT });
      // The rest goes into other Sets, after a restart of the importer.
      await importer.close();
      for (let done = placed; done < count;) {
        await studio.live.reload(DEFAULT);
        const later = await open();
        await soon(() => later.state.host.room).toEqual({ tracks: FIT });
        const next = await later.import(folder);
        const fits = names.slice(done, done + FIT).map((name) => `${name} (Looper)`);
        expect(namesIn(await studio.live.dump()).tracks).toEqual([...before.tracks, ...fits]);
        done += fits.length;
        expect(next.status).toBe(done === count ? "imported" : "partial");
        await later.close();
      }
    },
  );

  test("[R17][H16] a Set that is full is refused whole, and nothing of it changes", async () => {
    const set = { tracks: Array.from({ length: 8 }, (_, index) => ({ name: `Mine ${index}` })) };
    const { studio, folder, newImporter: open } = await musician(2, { variant: "Lite" }, set);
    const { data: _, ...before } = await studio.live.dump();
    const importer = await open();
    const { status, tracks } = await importer.import(folder);
    expect(status).toBe("failed");
    expect(tracks[0]?.error).toContain("Live Lite takes only 8 tracks in a Set.");
    expect(tracks.every(({ file }) => file !== null)).toBe(true);
    const { data: _then, ...after } = await studio.live.dump();
    expect(namesIn(after)).toEqual(namesIn(before));
  });
});

describe("Lives by version", () => {
  test.each([
    ["11.3.25", "Live 11.3.25"],
    ["12.0.5", "Live 12.0.5 Standard"],
    ["12.4.0", "Live 12.4.0 Standard"],
  ])("[H12] Live %s takes a whole package", async (version, label) => {
    const { folder, newImporter: open } = await musician(2, { version, variant: "Standard" });
    const importer = await open();
    expect(importer.state.host).toMatchObject({ name: "live", label });
    expect(await importer.import(folder)).toMatchObject({ status: "imported" });
  });

  test.each(["11.2.11", "12.0.1"])("[H12] Live %s isn't ready, and is named", async (version) => {
    const { studio } = await musician(1, { version, variant: "Standard" });
    expect(await studio.host.isReady()).toBe(false);
    expect(studio.host.whenNotReady).toBe(
      `This is Live ${version}. Soundferry places sounds in Live 11.3.25 or later 11.3, or in 12.0.5 or later. ` +
        "The update is free.",
    );
  });
});
