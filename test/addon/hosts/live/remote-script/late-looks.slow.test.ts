import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { buildImporter } from "../../../../../addon/build-importer.ts";
import { ControlSurfaceHost } from "../../../../../addon/hosts/live/remote-script/control-surface-host.ts";
import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import { comparedIn } from "../../../../../core/report/import-outcome.ts";
import { layoutOf, LOOP } from "../../../../contracts/host/host-contract.ts";
import { soon } from "../../../../sim/soon.ts";
import { someOf } from "../../../../whole-forms.ts";
import { settingsIn } from "../../../importer-at-work.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import type { FakeEdit } from "./fake-live.ts";
import type { FakeFileHabits } from "./fake-live-habits.ts";
import { type LiveStudio, liveStudio, placedOf } from "./live-studio.ts";
import { writeSilence } from "./sparse-wav.ts";
import { expectTrueReport } from "./true-report.ts";

const BEAT = { ...LOOP, tempoBpm: 120, loopEndBeats: 8, gainDb: 0 };
const KIT = layoutOf([BEAT]);
/** Live hears another tempo, and replaces the markers so many ticks after the clip was made. */
const hearing = (analysisTicks: number, analysisAgainTicks = 0): Partial<FakeFileHabits> => ({
  guess: 127,
  analysisTicks,
  analysisAgainTicks,
});
const quick = (habits: Partial<FakeFileHabits>) => ({ habits: { realTickMs: 1, ...habits } });

/** Follows a placed run to its last look, and returns what that found; the answer to `place` without a look. */
async function lastLook(studio: LiveStudio, placed: readonly PlacedSound[]) {
  let last = placed;
  for await (const found of studio.host.follow("run-1", new AbortController().signal)) last = found;
  return last;
}

function differencesOf(placed: readonly PlacedSound[]): readonly string[] {
  const sound = placedOf(placed, "beat");
  return compareSettings(BEAT, comparedIn(sound), sound.tolerances).map(({ setting }) => setting);
}

/** Puts a package of one loop at 120 BPM into a folder; returns the folder. */
async function writeLoop(folder: string): Promise<string> {
  await writeSilence(join(folder, "beat.wav"));
  const beat = { file: "beat.wav", name: "Beat", kind: "loop", length_beats: 8 };
  const about = { schema: "app2host/1", title: "Kit", source: { app: "Looper" } };
  const manifest = { ...about, tempo: { bpm: 120 }, items: [beat] };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}

describe("an analysis that ends late", () => {
  const ends: readonly (readonly [number, number])[] = [2, 8, 15, 25, 40, 90, 150, 290].flatMap(
    (ticks) => [[ticks, 0] as const, [ticks, Math.min(50, 299 - ticks)] as const],
  );

  test.each(someOf(ends, 5))(
    "[H24] after %i ticks, and again after %i more: the last look says what the Set holds",
    async (ticks, again) => {
      const studio = await liveStudio(quick(hearing(ticks, again)));
      const before = await studio.live.dump();
      const last = await lastLook(studio, await studio.host.place(await studio.request(KIT)));
      expectTrueReport(KIT, last, [before, await studio.live.dump()]);
      // Until three seconds after the clip was set, the markers are set again, once.
      if (ticks < 10 && again === 0) expect(differencesOf(last)).toEqual([]);
      if (ticks > 40) expect(differencesOf(last)).toContain("warp_markers");
    },
  );
});

describe("a person who works on a clip after the import", () => {
  const CHANGED = "You changed this clip after the import; it was not checked again.";
  const clip = { track: 2, scene: 1 };
  const edits: readonly [string, FakeEdit][] = [
    ["renames it", { do: "changeClip", ...clip, to: { name: "Mine" } }],
    ["colors it", { do: "changeClip", ...clip, to: { colorIndex: 20 } }],
    ["makes it louder", { do: "changeClip", ...clip, to: { gain: 0.9 } }],
    ["renames its track", { do: "renameTrack", index: 2, name: "My track" }],
    ["deletes it", { do: "deleteClip", ...clip }],
    ["undoes the import", { do: "undo" }],
  ];

  test.each(edits)("[H24] and %s keeps that, without a difference", async (_, edit) => {
    const studio = await liveStudio(quick({}));
    const placed = await studio.host.place(await studio.request(KIT));
    expect(differencesOf(placed)).toEqual([]);
    await studio.live.edit(edit);
    const { data: _marks, ...edited } = await studio.live.dump();
    const last = await lastLook(studio, placed);
    const { data: _then, ...after } = await studio.live.dump();
    expect(after).toEqual(edited);
    expect(differencesOf(last)).toEqual([]);
    expect(placedOf(last, "beat").notes).toContain(CHANGED);
  });
});

test("[R18] the importer amends its report when Live changes a clip half a minute later", async () => {
  const studio = await liveStudio(quick(hearing(250)));
  const live = new ControlSurfaceHost({ folders: [studio.folder] });
  const folders = { dataFolder: studio.folder, soundsFolder: studio.sounds };
  const settings = { ...settingsIn(await temporaryFolder(), null), ...folders };
  const importer = buildImporter({ settings, host: live });
  onTestFinished(() => importer.close());
  await importer.start();
  const outcome = await importer.import(await writeLoop(await temporaryFolder()));
  expect(outcome.tracks[0]).toMatchObject({ status: "imported", differences: [] });
  const shown = () => {
    const [last] = importer.state.finished;
    const tracks = last !== undefined && "outcome" in last.result ? last.result.outcome.tracks : [];
    return tracks[0]?.differences.map(({ setting }) => setting);
  };
  expect(shown()).toEqual([]);
  await soon(shown).toContain("warp_markers");
});
