import { describe, expect, test } from "vitest";
import { DawprojectHost } from "../../../addon/hosts/dawproject/dawproject-host.ts";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import type { Host } from "../../../addon/hosts/host.ts";
import { ImportCancelledError } from "../../../addon/runs/import-errors.ts";
import { relayPackage } from "../../../addon/packages/package-source.ts";
import type { PanelRunSounds } from "../../../core/protocol/panel-api.ts";
import { isDismissal, NOT_SELECTED } from "../../../core/protocol/package-status.ts";
import { smallWav } from "../../wav-bytes.ts";
import { MemorySource } from "./memory-source.ts";
import { offerKit, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const NAMES = ["Kick", "Snare", "Hat", "Clap"];
const LEFT_OUT = { status: "skipped", error: NOT_SELECTED } as const;

async function setUp() {
  const relay = new SoundRelay();
  const site = await temporarySite();
  const offered = offerKit(relay, NAMES);
  const report = () => relay.reports.get("pkg_a") ?? {};
  const statuses = () => Object.values(report()).map(({ status }) => status);
  const made = async () => {
    const { scenes, tracks } = await site.session();
    return { scenes: scenes.length, tracks: tracks.map(({ name }) => name.split(" ")[0]) };
  };
  return {
    relay,
    site,
    offered,
    report,
    statuses,
    made,
    source: () => relayPackage(offered, relay.port()),
  };
}

/** A host with a name of its own that refuses some sounds. */
function hostThatRefuses(refused: readonly string[], name = "other"): Host {
  return {
    name,
    can: { resumes: true },
    place: async ({ layout }) =>
      layout.tracks.flatMap((track): readonly PlacedSound[] => {
        const { soundId } = track;
        if ("error" in track) return [];
        return refused.includes(soundId)
          ? [{ soundId, error: "No." }]
          : [{ soundId, holds: track, notes: [] }];
      }),
  };
}

describe("an import of chosen sounds", () => {
  test("[R10] downloads and places only those, and reports the others as not selected", async () => {
    const { relay, site, source, report, made } = await setUp();
    const outcome = await site.import(source(), { soundIds: ["1", "3"] });
    expect(relay.requests.map(({ file }) => file).sort()).toEqual(["pkg_a-1.wav", "pkg_a-3.wav"]);
    expect(await made()).toEqual({ scenes: 1, tracks: ["Kick", "Hat"] });
    expect(outcome.status).toBe("partial");
    expect(outcome.tracks.map(({ status }) => status)).toEqual([
      "imported",
      "skipped",
      "imported",
      "skipped",
    ]);
    expect(report()).toMatchObject({ "1": { status: "imported" }, "3": { status: "imported" } });
    expect([report()["2"], report()["4"]]).toEqual([LEFT_OUT, LEFT_OUT]);
  });

  test("[R11] the others, imported later, make the report whole again, after a restart too", async () => {
    const { site, source, report, statuses, made } = await setUp();
    await site.import(source(), { soundIds: ["1", "3"] });
    const first = report();
    const outcome = await site.import(source(), { soundIds: ["2", "4"] });
    expect(await made()).toEqual({ scenes: 2, tracks: ["Kick", "Hat", "Snare", "Clap"] });
    expect(statuses()).toEqual(Array(4).fill("imported"));
    expect([report()["1"], report()["3"]]).toEqual([first["1"], first["3"]]);
    expect(outcome.status).toBe("imported");
    expect(outcome.tracks.map(({ earlier }) => earlier)).toEqual([
      true,
      undefined,
      true,
      undefined,
    ]);
    expect(outcome.tracks[0]).toMatchObject({
      track: "Kick (Looper)",
      file: "Kick.wav",
      error: null,
    });
  });

  test("[R10][R11] an import without a choice takes the rest, and with `again` all", async () => {
    const { site, source, statuses, made } = await setUp();
    await site.import(source(), { soundIds: ["1"] });
    await site.import(source());
    expect((await made()).tracks).toEqual(["Kick", "Snare", "Hat", "Clap"]);
    expect(statuses()).toEqual(Array(4).fill("imported"));
    await site.import(source());
    expect((await made()).tracks).toHaveLength(8);
    await site.import(source(), { soundIds: ["1"] });
    await site.import(source(), { again: true });
    expect((await made()).tracks).toHaveLength(13);
  });

  test("[R11] holds for a package in a folder", async () => {
    const { site } = await setUp();
    const sounds = NAMES.map((name) => ({ name, wav: smallWav() }));
    const local = () => new MemorySource(sounds, "local_a");
    expect(await site.import(local(), { soundIds: ["1"] })).toMatchObject({ status: "partial" });
    expect(await site.import(local())).toMatchObject({
      status: "imported",
      tracks: [{ earlier: true }, {}, {}, {}],
    });
  });

  test("[R11] a sound that was tried again has its new result, the others their old one", async () => {
    const { site, source, report } = await setUp();
    const host = hostThatRefuses(["2"]);
    await site.import(source(), { host, soundIds: ["1", "2"] });
    await site.import(source(), { host: hostThatRefuses(["1"]), soundIds: ["1", "3"] });
    expect(report()).toMatchObject({
      "1": { status: "failed", error: "No." },
      "2": { status: "failed", error: "No." },
      "3": { status: "imported" },
      "4": LEFT_OUT,
    });
  });

  test("[R11] reports why a new choice failed, and keeps what is in a host", async () => {
    const { site, source, report } = await setUp();
    await site.import(source(), { soundIds: ["1"] });
    await site.import(source(), { host: hostThatRefuses(["2"]), soundIds: ["2"] });
    expect(report()).toMatchObject({ "1": { status: "imported" }, "2": { error: "No." } });
    const known = report();
    await site.import(source(), { host: hostThatRefuses(["1"]), soundIds: ["1"] });
    expect(report()).toBe(known);
  });

  test("[R11] counts a sound that any host has; the outcome is about the run's own", async () => {
    const { site, source, statuses } = await setUp();
    await site.import(source(), { soundIds: ["1", "2"] });
    const host = hostThatRefuses([]);
    const outcome = await site.import(source(), { host, soundIds: ["3", "4"] });
    expect(statuses()).toEqual(Array(4).fill("imported"));
    expect(outcome.status).toBe("partial");
    expect(outcome.tracks[0]).toMatchObject(LEFT_OUT);
  });

  test("[R11] a file has only what the last import put there", async () => {
    const { site, source, statuses } = await setUp();
    const host = new DawprojectHost();
    await site.import(source(), { host, soundIds: ["1"] });
    const outcome = await site.import(source(), { host, soundIds: ["2"] });
    expect(outcome.tracks.map(({ status }) => status)).toEqual([
      "skipped",
      "imported",
      "skipped",
      "skipped",
    ]);
    expect(statuses()).toEqual(["skipped", "imported", "skipped", "skipped"]);
    expect((await site.import(source(), { host })).status).toBe("imported");
  });

  test("[R11] takes the relay's results where the journal has none", async () => {
    const { relay, site, offered, report } = await setUp();
    const results = { "1": { status: "imported", track: "Kick (Looper)" }, "2": LEFT_OUT } as const;
    const listed = { ...offered, status: "partial" as const, results };
    await site.import(relayPackage(listed, relay.port()), { soundIds: ["2"] });
    expect(report()).toMatchObject({
      "1": results["1"],
      "2": { status: "imported" },
      "3": LEFT_OUT,
    });
    expect(isDismissal(report())).toBe(false);
  });

  test("[R14] says of each chosen sound how far it is", async () => {
    const { relay, site, source } = await setUp();
    relay.spoil("pkg_a-3.wav", { status: 404, code: "FILE_UNKNOWN" });
    const told: PanelRunSounds[] = [];
    const onSounds = (sounds: PanelRunSounds) => void told.push(sounds);
    await site.import(source(), { soundIds: ["1", "3"], onSounds });
    expect(told[0]).toEqual({ "1": { state: "waiting" }, "3": { state: "waiting" } });
    expect(told.at(-1)).toEqual({ "1": { state: "placed" }, "3": { state: "failed" } });
    const states = told.map((sounds) => sounds["1"]);
    expect(states).toContainEqual({ state: "fetching", progress: 1 });
    expect(states).toContainEqual({ state: "fetched" });
  });
});

test("[R14] a host that doesn't name its sounds places them in the layout's order", async () => {
  const { site, source } = await setUp();
  const placed: string[][] = [];
  const onSounds = (sounds: PanelRunSounds) => {
    const done = Object.entries(sounds).filter(([, { state }]) => state === "placed");
    placed.push(done.map(([id]) => id));
  };
  const host: Host = {
    ...hostThatRefuses([]),
    place: async ({ layout, onProgress }) => {
      onProgress(1, 2);
      onProgress(2, 2);
      return layout.tracks.map(({ soundId }) => ({ soundId, holds: {}, notes: [] }));
    },
  };
  await site.import(source(), { host, soundIds: ["2", "4"], onSounds });
  expect(placed.filter((ids) => ids.length > 0)).toEqual([["2"], ["2", "4"]]);
});

describe("an interrupted import of chosen sounds", () => {
  /**
   * Stops like a crash after the given number of calls to the host: one for the scene, and a track and a clip per
   * sound.
   */
  async function interruptedAfter(stopAfterCall: number) {
    const set = await setUp();
    const stopped = Promise.withResolvers<void>();
    const faults = { stopAfterCall, onStop: stopped.resolve };
    void set.site.import(set.source(), { faults, soundIds: ["1", "3"] });
    await stopped.promise;
    return set;
  }

  test.each([1, 2, 3, 4])("[R13] is completed with its sounds, after call %j", async (call) => {
    const { relay, site, source, report, made } = await interruptedAfter(call);
    await site.import(source());
    expect(await made()).toEqual({ scenes: 1, tracks: ["Kick", "Hat"] });
    expect([report()["2"], report()["4"]]).toEqual([LEFT_OUT, LEFT_OUT]);
    expect(new Set(relay.takes.map(({ runId }) => runId)).size).toBe(1);
  });

  test("[R13] is completed first when the next one asks for others too", async () => {
    const { site, source, report, made } = await interruptedAfter(2);
    const outcome = await site.import(source(), { soundIds: ["3", "4"] });
    expect(await made()).toEqual({ scenes: 2, tracks: ["Kick", "Hat", "Clap"] });
    expect(outcome.status).toBe("partial");
    expect(report()["2"]).toEqual(LEFT_OUT);
    expect(report()["4"]).toMatchObject({ status: "imported" });
  });

  test("[R13] keeps its choice when it stopped during the download, but not after a cancel", async () => {
    const { relay, site, source, made } = await setUp();
    relay.refuse.take = 500;
    const soundIds = ["1", "3"];
    await expect(site.import(source(), { soundIds })).rejects.toThrow("No take.");
    delete relay.refuse.take;
    await site.import(source());
    expect((await made()).tracks).toEqual(["Kick", "Hat"]);

    const canceled = new AbortController();
    const onProgress = () => canceled.abort(new ImportCancelledError());
    const cancelling = site.import(source(), {
      soundIds: ["2"],
      signal: canceled.signal,
      onProgress,
    });
    await expect(cancelling).rejects.toThrow(ImportCancelledError);
    await site.import(source());
    expect((await made()).tracks).toEqual(["Kick", "Hat", "Snare", "Clap"]);
  });
});
