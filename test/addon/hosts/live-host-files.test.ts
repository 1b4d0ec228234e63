import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { LeftBehindError } from "../../../addon/hosts/host.ts";
import { clearKeptFiles, measureKeptFiles } from "../../../addon/disk/kept-files.ts";
import { layoutOf, ONE_SHOT, placeRequest } from "../../contracts/host/host-contract.ts";
import { ImportSite } from "../runs/import-site.ts";
import { KIT_FILES, type KitSound, liveStudio, type StudioOptions } from "./live-studio.ts";
import { expectTrueReport } from "./true-report.ts";

describe("the file of a sound", () => {
  test("[H3][F5][F6] is Live's copy in the project; the importer's own stays until a person clears it", async () => {
    const studio = await liveStudio();
    const outcome = await studio.import();
    const { projectFolder } = studio.live;
    for (const { clips } of studio.newTracks()) {
      expect(dirname(clips[0]?.filePath ?? "")).toBe(join(projectFolder, "Samples", "Imported"));
    }
    expect(outcome.tracks[0]).toMatchObject({ file: "Beat.wav", path: "Kit/Beat.wav" });
    expect(await studio.site.listSounds()).toEqual(KIT_FILES);
    await clearKeptFiles(studio.site.sounds);
    expect(await studio.site.listSounds()).toEqual([]);
  });

  test("[H3] is in the project before the scene is made", async () => {
    const studio = await liveStudio();
    await studio.import();
    const kinds = studio.live.calls.map(({ label }) => label.split(" ")[0]);
    expect(kinds.lastIndexOf("importIntoProject")).toBeLessThan(kinds.indexOf("createScene"));
  });

  const REFUSALS: readonly StudioOptions[] = [
    { isSaved: false },
    { failsAlways: /importIntoProject/ },
  ];
  test.each(REFUSALS)(
    "[H3][F5] is the importer's where Live refuses it, and stays: %j",
    async (refusal) => {
      const studio = await liveStudio(refusal);
      const outcome = await studio.import();
      expect(outcome.status).toBe("imported");
      expect(studio.live.look().projectFiles).toEqual([]);
      const { sounds } = studio.site;
      for (const [index, { clips }] of studio.newTracks().entries()) {
        const { filePath = "" } = clips[0] ?? {};
        expect(filePath.startsWith(sounds)).toBe(true);
        expect(existsSync(filePath)).toBe(true);
        expect(outcome.tracks[index]?.notes.join(" ")).toMatch(/project/);
      }
      expect(outcome.tracks[0]).toMatchObject({ file: "Beat.wav", differences: [] });
      await expectTrueReport(studio, outcome);
    },
  );

  test("[H3][F6] is the importer's for the one sound that Live refuses", async () => {
    const studio = await liveStudio({ failsOnce: /importIntoProject Beat/ });
    const outcome = await studio.import();
    await expectTrueReport(studio, outcome);
    await clearKeptFiles(studio.site.sounds);
    const left = [
      "Kit/.soundferry.json",
      "Kit/Beat.wav",
      "Kit/Kit.dawproject",
      "Kit/manifest.json",
    ];
    expect(await studio.site.listSounds()).toEqual(left);
  });

  test("[H3] is brought in where the sounds folder is reached through a link", async () => {
    const studio = await liveStudio();
    const real = join(studio.folder, "real");
    await mkdir(real);
    await symlink(real, join(real, "..", "linked"));
    const linked = studio.with(studio.live, new ImportSite(join(real, "..", "linked")));
    await linked.import();
    await clearKeptFiles(linked.site.sounds);
    expect(await linked.site.listSounds()).toEqual([]);
    expect(studio.live.look().projectFiles).toHaveLength(4);
  });

  test("[H3] is brought in where its own path leads through a link", async () => {
    const studio = await liveStudio();
    const { live, host, folder } = studio;
    const [file, link] = [join(folder, "Kick.wav"), join(folder, "link.wav")];
    await writeFile(file, studio.wavOf("Kick"));
    await symlink(file, link);
    const request = await placeRequest(layoutOf([ONE_SHOT]));
    await host.place({ ...request, files: new Map([[ONE_SHOT.soundId, link]]) });
    expect(live.look().projectFiles).toEqual(["Kick.wav"]);
  });

  test("[F5] stays for a sound whose clip could not be made", async () => {
    const studio = await liveStudio({ failsAlways: /createAudioClip Bass/ });
    const { tracks } = await studio.import();
    expect(tracks[1]).toMatchObject({ status: "failed", path: "Kit/Bass.wav" });
    expect(existsSync(join(studio.site.sounds, "Kit", "Bass.wav"))).toBe(true);
  });
});

describe("the gain of a sound", () => {
  const gained = (gain_db: number): KitSound => ({
    name: "Kick",
    kind: "oneshot",
    seconds: 0.25,
    gain_db,
  });

  test.each([-18, -17.9, -3, 0, 0.5, 6])("[H5] is the track's volume: %s dB", async (gainDb) => {
    const studio = await liveStudio({ sounds: [gained(gainDb)] });
    const outcome = await studio.import();
    expect(studio.newTracks()[0]?.volume).toBeCloseTo((gainDb + 34) / 40, 6);
    expect(outcome.tracks[0]?.differences).toEqual([]);
    expect(studio.live.look().projectFiles).toEqual(["Kick.wav"]);
    await expectTrueReport(studio, outcome);
  });

  test.each([-70, -18.1, 6.1, 24])("[H5] is in a copy's samples: %s dB", async (gainDb) => {
    const studio = await liveStudio({ sounds: [gained(gainDb)] });
    const outcome = await studio.import();
    expect(studio.newTracks()[0]?.volume).toBeCloseTo(0.85, 6);
    expect(outcome.tracks[0]?.differences).toEqual([]);
    expect(outcome.tracks[0]?.notes.join(" ")).toMatch(/copy/);
    expect(studio.live.look().projectFiles).toHaveLength(1);
    const names = [".soundferry.json", "Kick.wav", "Kit.dawproject", "manifest.json"];
    expect(await studio.site.listSounds()).toEqual(names.map((name) => join("Kit", name)));
    await expectTrueReport(studio, outcome);
  });

  test("[H5] is in a note only where a copy was made", async () => {
    const studio = await liveStudio();
    const { tracks } = await studio.import();
    expect(tracks.map(({ notes }) => notes.some((note) => note.includes("copy")))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test("[H3][H5] is in a copy that stays where Live takes it not into the project", async () => {
    const studio = await liveStudio({ isSaved: false });
    const outcome = await studio.import();
    await expectTrueReport(studio, outcome);
    const lead = studio.newTracks()[3]?.clips[0];
    expect(existsSync(lead?.filePath ?? "")).toBe(true);
    expect(lead?.filePath).not.toBe(join(studio.site.sounds, "Kit", "Lead.wav"));
    const copy = { file: "Lead +12 dB.wav", path: "Kit/Lead +12 dB.wav" };
    expect(outcome.tracks[3]).toMatchObject(copy);
    for (const { notes } of outcome.tracks) expect(notes.join(" ")).not.toMatch(/\.wav|Kit/);
  });

  test("[H5] is in a copy's samples where Live couldn't set the volume", async () => {
    const studio = await liveStudio({ failsAlways: /volume =/ });
    const { tracks } = await studio.import();
    expect(tracks.flatMap(({ differences }) => differences)).toEqual([]);
    expect(tracks.map(({ notes }) => notes.find((note) => note.includes("gain")))).toEqual([
      undefined,
      "A gain of -6 dB is applied in a copy of its file, because Live couldn't set its track volume.",
      "A gain of +3 dB is applied in a copy of its file, because Live couldn't set its track volume.",
      "A gain of +12 dB is applied in a copy of its file, because a track's volume goes from -18 to +6 dB.",
    ]);
    expect(await studio.site.listSounds()).toEqual(KIT_FILES);
  });

  test("[H5] is a difference where no copy can take its place", async () => {
    const studio = await liveStudio({ failsAlways: /volume =|deleteClip/ });
    const outcome = await studio.import();
    await expectTrueReport(studio, outcome);
    const reported = outcome.tracks.map(({ differences }) => differences);
    expect(reported).toEqual([
      [],
      [{ setting: "gain_db", asked: -6, got: 0 }],
      [{ setting: "gain_db", asked: 3, got: 0 }],
      [],
    ]);
  });

  test("[F6][H5] is in a copy that counts as kept, and as played, where a clip plays it from there", async () => {
    const studio = await liveStudio({ isSaved: false });
    await studio.import();
    const { sounds } = studio.site;
    const clips = studio.newTracks().flatMap((track) => track.clips);
    const sizes = clips.map(({ filePath }) => statSync(filePath).size);
    const played = sizes.reduce((sum, size) => sum + size, 0);
    const kept = await measureKeptFiles(sounds);
    expect(kept.clearableBytes).toBe(statSync(join(sounds, "Kit", "Lead.wav")).size);
    expect(kept.bytes - kept.clearableBytes).toBeGreaterThan(played);
    await clearKeptFiles(sounds);
    for (const { filePath } of clips) expect(existsSync(filePath)).toBe(true);
  });

  test("[F6][H5] is in a copy that is cleared away, or goes with the next import, where the first one stopped", async () => {
    for (const moment of ["stopBeforeCall", "stopAfterCall"] as const) {
      const studio = await liveStudio();
      await studio.import();
      const taken = studio.live.calls.find(({ label }) => label.includes("Lead +12 dB"));
      const stopped = Promise.withResolvers<void>();
      const other = await liveStudio({ [moment]: taken?.number, onStop: stopped.resolve });
      void other.import();
      await stopped.promise;
      const copy = join("Kit", "Lead +12 dB.wav");
      expect(await other.site.listSounds()).toContain(copy);

      const again = other.with(other.live.restarted());
      await again.import();
      expect(await again.site.listSounds()).toEqual(KIT_FILES);
    }
  });

  test("[F6][H5] is in a copy that someone else's file of its name is not taken for", async () => {
    const studio = await liveStudio({ failsOnce: /createScene/ });
    await studio.import();
    const mine = join(studio.site.sounds, "Kit", "Lead +12 dB.wav");
    await writeFile(mine, "mine");
    await studio.import();
    const both = [...KIT_FILES, join("Kit", "Lead +12 dB.wav")];
    expect(await studio.site.listSounds()).toEqual(both.toSorted());
    await clearKeptFiles(studio.site.sounds);
    expect(existsSync(mine)).toBe(true);
  });

  test("[H5][H7] is in a copy that stays where a cancelled import can't be removed from the Set", async () => {
    const studio = await liveStudio({ isSaved: false, failsAlways: /delete/ });
    const callOff = new AbortController();
    studio.live.onCall = ({ label }) => {
      if (label === "clip.name = Lead") callOff.abort();
    };
    const running = studio.import({ signal: callOff.signal });
    await expect(running).rejects.toThrow(LeftBehindError);
    const clips = studio.newTracks().flatMap((track) => track.clips);
    expect(clips).toHaveLength(4);
    for (const { filePath } of clips) expect(existsSync(filePath), filePath).toBe(true);
  });

  test("[H5][H7] leaves no copy behind where tracks stay in the Set, but no clip plays it", async () => {
    const options = { failsOnce: /createAudioTrack/, failsAlways: /delete/ };
    const studio = await liveStudio({ ...options, isSaved: false });
    await expect(studio.import()).rejects.toThrow(LeftBehindError);
    expect(await studio.site.listSounds()).not.toContain(join("Kit", "Lead +12 dB.wav"));
  });

  test("[H5] leaves no copy behind when the import is cancelled or fails", async () => {
    for (const failsAlways of [/createScene/, /createAudioClip Lead/]) {
      const studio = await liveStudio({ failsAlways, isSaved: false });
      await studio.import();
      const { sounds } = studio.site;
      const files = readdirSync(join(sounds, "Kit")).filter((name) => name.endsWith(".wav"));
      expect(files.filter((name) => name.startsWith("Lead"))).toEqual(["Lead.wav"]);
    }
  });
});
