import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clearKeptFiles, measureKeptFiles } from "../../../addon/disk/kept-files.ts";
import { FolderHost } from "../../../addon/hosts/folder/folder-host.ts";
import { type Host, LeftBehindError } from "../../../addon/hosts/host.ts";
import { relayPackage } from "../../../addon/packages/package-source.ts";
import { isOnlySaved, SAVED_AS_FILES } from "../../../core/protocol/package-status.ts";
import { smallWav } from "../../wav-bytes.ts";
import { noise, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const NAMES = ["Kick", "Snare", "Hat"];
const FILES = NAMES.map((name) => join("Kit", `${name}.wav`));

/** A Live that refuses some sounds. */
function liveHost(refused: readonly string[] = []): Host {
  return {
    name: "live",
    can: { resumes: true },
    place: async ({ layout }) =>
      layout.tracks
        .filter((track) => !("error" in track))
        .map(({ soundId, trackName }) =>
          refused.includes(soundId)
            ? { soundId, error: "Live couldn't make the track." }
            : { soundId, holds: { trackName }, notes: [] },
        ),
  };
}

async function setUp() {
  const relay = new SoundRelay();
  const site = await temporarySite();
  const wavs = NAMES.map((name, index) => {
    return { name, wav: noise(smallWav({ frames: 5000 }), index) };
  });
  const offered = relay.offer("pkg_a", "Kit", wavs);
  const source = () => relayPackage(offered, relay.port());
  const report = () => relay.reports.get("pkg_a") ?? {};
  const wavFiles = async () => {
    const all = await site.listSounds();
    return all.filter((name) => name.endsWith(".wav"));
  };
  return {
    relay,
    site,
    report,
    wavFiles,
    save: (soundIds?: readonly string[]) =>
      site.import(source(), { host: new FolderHost(), ...(soundIds && { soundIds }) }),
    place: (host: Host, soundIds?: readonly string[]) =>
      site.import(source(), { host, ...(soundIds && { soundIds }) }),
  };
}

describe("a package that was only saved", () => {
  test("[R16][S3] has every file on the disk and is imported for its app, without a track", async () => {
    const { site, save, report, wavFiles } = await setUp();
    const outcome = await save();
    expect(outcome).toMatchObject({ status: "imported", folder: join(site.sounds, "Kit") });
    expect((await wavFiles()).toSorted()).toEqual(FILES.toSorted());
    expect(isOnlySaved(report())).toBe(true);
    for (const [index, result] of Object.values(report()).entries()) {
      expect(result).toMatchObject({ status: "imported", file: `${NAMES[index]}.wav` });
      expect(result.notes).toContain(SAVED_AS_FILES);
      expect(result).not.toHaveProperty("track");
      expect(result).not.toHaveProperty("differences");
    }
  });

  test("[R16][R4] leaves nothing to resume, and can be saved again without a second copy", async () => {
    const { site, relay, save, wavFiles } = await setUp();
    await save();
    const [files, requests] = [await wavFiles(), relay.requests.length];
    expect((await save()).status).toBe("imported");
    expect(await wavFiles()).toEqual(files);
    expect(relay.requests).toHaveLength(requests);
    expect((await site.journals().read("pkg_a")).unfinished.size).toBe(0);
  });

  test("[R16][F6] is in no Set: it stays until a person deletes what no Set plays", async () => {
    const { site, save, wavFiles } = await setUp();
    await save();
    await save();
    expect(await wavFiles()).toHaveLength(3);
    const { bytes, clearableBytes } = await measureKeptFiles(site.sounds);
    expect(clearableBytes).toBe(bytes);
    await clearKeptFiles(site.sounds);
    expect(await site.listSounds()).toEqual([]);
  });

  test("[R16][R1] has the sounds that could be fetched; the others say why", async () => {
    const { relay, save, report, wavFiles } = await setUp();
    relay.spoil("pkg_a-2.wav", { status: 404, code: "SOUND_LOST" });
    expect((await save()).status).toBe("partial");
    expect(report()).toMatchObject({ 2: { status: "skipped", error: expect.any(String) } });
    expect(await wavFiles()).toHaveLength(2);
    expect(isOnlySaved(report())).toBe(true);
  });
});

describe("a later placing", () => {
  test("[R16][S3] replaces the report, without another download", async () => {
    const { relay, save, place, report } = await setUp();
    await save();
    const requests = relay.requests.length;
    expect(await place(liveHost())).toMatchObject({ status: "imported" });
    expect(relay.requests).toHaveLength(requests);
    expect(report()["1"]).toMatchObject({ status: "imported", track: "Kick (Looper)" });
    expect(JSON.stringify(report())).not.toContain(SAVED_AS_FILES);
  });

  test("[R16][R7] that Live refuses altogether leaves the earlier report as it was", async () => {
    const { save, place, report } = await setUp();
    await save();
    const saved = report();
    expect((await place(liveHost(["1", "2", "3"]))).status).toBe("failed");
    expect(report()).toBe(saved);
  });

  test("[R16][R11] of which Live refuses a part says so; that sound is no longer the saved one", async () => {
    const { save, place, report, wavFiles } = await setUp();
    await save();
    expect((await place(liveHost(["2"]))).status).toBe("partial");
    expect(report()).toMatchObject({
      1: { status: "imported", track: "Kick (Looper)" },
      2: { status: "failed", file: "Snare.wav", error: "Live couldn't make the track." },
      3: { status: "imported", track: "Hat (Looper)" },
    });
    expect(await wavFiles()).toHaveLength(3);
    expect((await save()).status).toBe("imported");
    expect(report()).toMatchObject({
      1: { track: "Kick (Looper)" },
      2: { status: "imported", notes: expect.arrayContaining([SAVED_AS_FILES]) },
    });
  });

  test("[R16][R10] of chosen sounds leaves the others saved", async () => {
    const { save, place, report } = await setUp();
    await save();
    await place(liveHost(), ["3"]);
    expect(report()).toMatchObject({
      1: { status: "imported", notes: expect.arrayContaining([SAVED_AS_FILES]) },
      3: { status: "imported", track: "Hat (Looper)" },
    });
    expect(report()["1"]).not.toHaveProperty("track");
    expect(isOnlySaved(report())).toBe(false);
  });

  test("[R16][R10] without a choice also places what a choice had left out of the saving", async () => {
    const { save, place, report } = await setUp();
    expect((await save(["1"])).status).toBe("partial");
    expect(report()).toMatchObject({ 2: { status: "skipped", error: "Not selected in Live." } });
    expect((await place(liveHost())).status).toBe("imported");
  });
});

test("[R16] saving what Live has doesn't take its track from the report", async () => {
  const { save, place, report } = await setUp();
  await place(liveHost());
  const placed = structuredClone(report());
  expect((await save()).tracks[0]?.notes).toContain(SAVED_AS_FILES);
  expect(report()).toEqual(placed);
});

test("[R16][R4] after a Live that stopped while it placed, the package can be saved; then Live decides", async () => {
  const { site, save, place, report, wavFiles } = await setUp();
  const stopped: Host = {
    ...liveHost(),
    place: async ({ journal }) => {
      await journal.step("place the scene Kit (Looper)", () => "unknown");
      throw new LeftBehindError("Live stopped answering while it placed Kit (Looper).");
    },
  };
  await expect(place(stopped)).rejects.toThrow("Live stopped answering");
  expect(await wavFiles()).toHaveLength(3);
  await save();
  expect(isOnlySaved(report())).toBe(true);
  const { unfinished } = await site.journals().read("pkg_a");
  expect(unfinished.get("live")?.steps).toHaveLength(1);
  let earlier = 0;
  const back = liveHost();
  await place({
    ...back,
    place: (request) => {
      earlier = request.journal.earlier.length;
      return back.place(request);
    },
  });
  expect(earlier).toBe(1);
  expect(report()["1"]).toMatchObject({ track: "Kick (Looper)" });
});
