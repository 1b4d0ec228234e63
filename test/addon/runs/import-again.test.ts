import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import type { Host, PlaceRequest } from "../../../addon/hosts/host.ts";
import { clearKeptFiles } from "../../../addon/disk/kept-files.ts";
import { AlreadyPlacedError } from "../../../addon/hosts/already-placed.ts";
import { ImportCancelledError } from "../../../addon/runs/import-errors.ts";
import { relayPackage } from "../../../addon/packages/package-source.ts";
import { smallWav } from "../../wav-bytes.ts";
import { noise, type OfferedSound, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const SOUNDS: readonly OfferedSound[] = ["Kick", "Snare", "Hat"].map((name, index) => ({
  name,
  wav: noise(smallWav({ frames: 5000 }), index),
}));

async function setUp() {
  const relay = new SoundRelay();
  const site = await temporarySite();
  const offered = relay.offer("pkg_a", "Kit", SOUNDS);
  return { relay, site, source: () => relayPackage(offered, relay.port()) };
}

test("[F2][R4] importing a package again makes a new scene and no second copy of its files", async () => {
  const { relay, site, source } = await setUp();
  await site.import(source());
  const [files, requests] = [await site.listSounds(), relay.requests.length];
  await site.import(source());
  expect(await site.listSounds()).toEqual(files);
  expect(relay.requests).toHaveLength(requests);
  const { scenes, tracks } = await site.session();
  expect([scenes.length, tracks.length]).toEqual([2, 6]);
  expect(new Set(relay.takes.map(({ runId }) => runId)).size).toBe(2);
});

test("[F2] another package with the same title gets its own folder", async () => {
  const { relay, site, source } = await setUp();
  await site.import(source());
  const other = relayPackage(relay.offer("pkg_b", "Kit", SOUNDS), relay.port());
  expect((await site.import(other)).folder).toBe(join(site.sounds, "Kit 2"));
});

test("[F2][F3] fetches deleted or damaged files again, to the same names", async () => {
  const { relay, site, source } = await setUp();
  await site.import(source());
  const [files, requests] = [await site.listSounds(), relay.requests.length];
  await writeFile(join(site.sounds, "Kit", "Snare.wav"), "spoilt");
  await site.import(source());
  expect(await site.listSounds()).toEqual(files);
  expect(relay.requests).toHaveLength(requests + 1);
});

/** A host like Live, which plays files from its own project and doesn't recognize what it holds. */
class CopyingHost implements Host {
  readonly name = "live";
  readonly can = { resumes: false };
  /** Ids of the sounds that it plays from the importer's file. */
  playsOwn: readonly string[] = [];
  refuses: readonly string[] = [];

  async place({ layout, files, journal, signal }: PlaceRequest): Promise<readonly PlacedSound[]> {
    await journal.step(`make the scene ${layout.scene.name}`, () => undefined);
    const placed: PlacedSound[] = [];
    for (const track of layout.tracks) {
      if ("error" in track) continue;
      signal.throwIfAborted();
      await journal.step(`make the track ${track.trackName}`, () => undefined);
      const { soundId } = track;
      const own = files.get(soundId) ?? "";
      const got = this.playsOwn.includes(soundId) ? own : import.meta.filename;
      placed.push(
        this.refuses.includes(soundId)
          ? { soundId, error: "No." }
          : { soundId, holds: { ...track, file: { asked: got, got } }, notes: ["Copied."] },
      );
    }
    return placed;
  }
}

describe("a host that copies sounds into its own project", () => {
  test("[F5][F6] leaves the importer's copies, which a person can clear", async () => {
    const { site, source } = await setUp();
    const outcome = await site.import(source(), { host: new CopyingHost() });
    expect(outcome).toMatchObject({ status: "imported", folder: join(site.sounds, "Kit") });
    expect(outcome.tracks[0]).toMatchObject({ file: "Kick.wav", path: "Kit/Kick.wav" });
    expect(outcome.tracks[0]?.notes).toEqual(["Copied."]);
    await clearKeptFiles(site.sounds);
    expect(await readdir(site.sounds)).toEqual([]);
  });

  test("[F6] what it plays from there stays, and what another host plays", async () => {
    const { relay, site, source } = await setUp();
    const host = new CopyingHost();
    host.playsOwn = ["2"];
    host.refuses = ["3"];
    const { tracks } = await site.import(source(), { host });
    expect(tracks.map(({ path }) => path)).toEqual(["Kick", "Snare", "Hat"].map(inKit));
    expect(relay.reports.get("pkg_a")).toMatchObject({
      3: { file: "Hat.wav", path: "Kit/Hat.wav" },
    });
    await clearKeptFiles(site.sounds);
    expect(await site.listSounds()).toEqual(
      [".soundferry.json", "Kit.dawproject", "Snare.wav", "manifest.json"].map((name) =>
        join("Kit", name),
      ),
    );
    await site.import(source());
    const files = await site.listSounds();
    await site.import(source(), { host: new CopyingHost() });
    await clearKeptFiles(site.sounds);
    expect(await site.listSounds()).toEqual(files);
  });
});

function inKit(name: string): string {
  return `Kit/${name}.wav`;
}

describe("a package that is in a host", () => {
  test("[R7] stays imported for the app when a run at another host places nothing", async () => {
    const { relay, site, source } = await setUp();
    await site.import(source());
    const known = relay.reports.get("pkg_a");
    const host = new CopyingHost();
    host.refuses = ["1", "2", "3"];
    expect((await site.import(source(), { host })).status).toBe("failed");
    expect(relay.reports.get("pkg_a")).toBe(known);
    expect(await site.outbox().packageIds(relay.port())).toEqual([]);
    expect((await site.journals().read("pkg_a")).importedInto).toEqual(new Set(["preview"]));

    host.refuses = ["1"];
    expect((await site.import(source(), { host })).status).toBe("partial");
    expect(relay.reports.get("pkg_a")).toMatchObject({ 1: { status: "failed" } });
    // The unreported run may still hold the lease: the next one there resumes it.
    const [, second, third] = relay.takes;
    expect(third?.runId).toBe(second?.runId);
  });
});

test("[R2] the report never contains a local path, whatever a host's error says", async () => {
  const { relay, site, source } = await setUp();
  const host = new CopyingHost();
  const place = host.place.bind(host);
  host.place = async (request) => {
    const [first, second, ...rest] = await place(request);
    const said = "EACCES: permission denied, open '/home/ana/Music/Kick.wav'";
    if (first === undefined || second === undefined) return expect.unreachable();
    return [{ soundId: first.soundId, error: said }, { ...second, notes: [said] }, ...rest];
  };
  await site.import(source(), { host });
  const cut = "EACCES: permission denied, open 'Kick.wav'";
  expect(relay.reports.get("pkg_a")).toMatchObject({ 1: { error: cut }, 2: { notes: [cut] } });
});

describe("a host that can't resume an interrupted run", () => {
  test("[R4] imports again after a run that it has undone", async () => {
    const { site, source } = await setUp();
    const callOff = new AbortController();
    const undone = new CopyingHost();
    const place = undone.place.bind(undone);
    undone.place = (request) => {
      queueMicrotask(() => callOff.abort());
      return place(request);
    };
    const running = site.import(source(), { host: undone, signal: callOff.signal });
    await expect(running).rejects.toThrow(ImportCancelledError);
    const { unfinished } = await site.journals().read("pkg_a");
    expect(unfinished.get("live")?.steps).toEqual([]);
    const host = new CopyingHost();
    expect((await site.import(source(), { host })).status).toBe("imported");
  });
});

describe("a host that resumes and finds leftovers in its session", () => {
  /** A host that refuses until it is asked again, like one whose session shows a stopped run's tracks. */
  function leftoversHost() {
    const asked: (boolean | undefined)[] = [];
    const host: Host = {
      name: "live",
      can: { resumes: true },
      place: async ({ layout, journal, again }) => {
        asked.push(again);
        await journal.step("look at the Set", () => undefined, { leavesNothing: true });
        if (again !== true) {
          throw new AlreadyPlacedError("Kit", [{ label: "the track Kick", state: "done" }]);
        }
        return layout.tracks.map(({ soundId }) => ({ soundId, holds: {}, notes: [] }));
      },
    };
    return { host, asked };
  }

  test("[R4] stops the run, which stays unfinished and reports nothing", async () => {
    const { relay, site, source } = await setUp();
    const { host } = leftoversHost();
    const error = await site.import(source(), { host }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(AlreadyPlacedError);
    expect(error).toMatchObject({
      code: "ALREADY_PLACED",
      message:
        "An earlier import of Kit was interrupted. Done: the track Kick. " +
        "Delete what you don't want, then import again.",
    });
    const { unfinished, importedInto } = await site.journals().read("pkg_a");
    expect(unfinished.get("live")?.steps).toMatchObject([{ label: "look at the Set" }]);
    expect([...importedInto]).toEqual([]);
    expect(relay.reports.size).toBe(0);
  });

  test("[R4] places the package in the same run with `again`", async () => {
    const { relay, site, source } = await setUp();
    const { host, asked } = leftoversHost();
    await expect(site.import(source(), { host })).rejects.toThrow(AlreadyPlacedError);
    await expect(site.import(source(), { host })).rejects.toThrow(AlreadyPlacedError);
    expect((await site.import(source(), { host, again: true })).status).toBe("imported");
    expect(asked).toEqual([undefined, undefined, true]);
    expect(new Set(relay.takes.map(({ runId }) => runId)).size).toBe(1);
    expect((await site.journals().read("pkg_a")).unfinished.size).toBe(0);
  });
});
