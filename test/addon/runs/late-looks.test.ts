import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Host } from "../../../addon/hosts/host.ts";
import { relayPackage } from "../../../addon/packages/package-source.ts";
import { soon } from "../../sim/soon.ts";
import { LookingHost } from "./looking-host.ts";
import { newRuns, newStore } from "./new-store.ts";
import { offerKit, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const LOUDER = [{ setting: "gain_db", asked: 0, got: 3 }];

/** A started importer's runs of a package with two sounds, at a host that looks again. */
async function setUp({ isStarted = true } = {}) {
  const site = await temporarySite();
  const store = newStore();
  const runs = newRuns({ store, importDeps: site.deps() });
  const amended: number[] = [];
  if (isStarted) runs.lateLooks.start(() => amended.push(amended.length));
  const relay = new SoundRelay();
  const offered = offerKit(relay, ["Kick", "Snare"]);
  const found = () => {
    const source = relayPackage(offered, relay.port());
    return { packageId: "pkg_a", title: "Kit", source };
  };
  const host = new LookingHost();
  const importInto = (into: Host = host, only?: readonly string[]) =>
    runs.run(found(), into, { again: true, ...(only !== undefined && { only }) });
  /** The differences of each sound: in the relay's report, in the journal at Live, and in the panel's last result. */
  const known = async () => {
    const reported = Object.values(relay.reports.get("pkg_a") ?? {});
    const atLive = (await site.journals().read("pkg_a")).results.get("live") ?? new Map();
    const [last] = store.state.finished;
    const shown = last !== undefined && "outcome" in last.result ? last.result.outcome.tracks : [];
    return [reported, [...atLive.values()], shown].map((results) =>
      results.map(({ differences = [] }) => differences.length),
    );
  };
  return { site, store, runs, relay, host, amended, importInto, known };
}

describe("a later look at an import", () => {
  test("[R18] that finds another setting amends report, journal and what the panel shows", async () => {
    const { relay, host, amended, importInto, known } = await setUp();
    await importInto();
    expect(await known()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    host.find({ "2": 3 });
    await soon(() => amended.length).toBe(1);
    expect(await known()).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(relay.reports.get("pkg_a")?.["2"]).toMatchObject({
      status: "imported",
      differences: LOUDER,
    });
    // The newest look wins.
    host.find({});
    await soon(() => amended.length).toBe(2);
    expect(await known()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  test("[R18] that finds nothing new sends and changes nothing", async () => {
    const { store, relay, host, amended, importInto } = await setUp();
    await importInto();
    relay.reports.clear();
    const { state } = store;
    const [runId = ""] = host.followed;
    host.find({});
    host.end();
    await soon(() => host.endOf(runId)).toBe("over");
    expect([relay.reports.size, amended.length]).toEqual([0, 0]);
    expect(store.state).toBe(state);
  });

  test("[R18] amends nothing of a sound that a later run has placed again", async () => {
    const { host, amended, importInto, known } = await setUp();
    await importInto();
    const [first = ""] = host.followed;
    await importInto(host, ["1"]);
    // Of the first run's clips, only that of the second sound is still the one that is reported.
    host.find({ "1": 3 }, first);
    host.find({ "1": 3 });
    await soon(() => amended.length).toBe(1);
    expect((await known())[0]).toEqual([1, 0]);
    host.find({ "1": 3, "2": 3 }, first);
    await setImmediate();
    host.end();
    host.end(first);
    await soon(() => host.endOf(first)).toBe("over");
  });

  test("[R7][R18] leaves the result of another host that has placed the sound since", async () => {
    const { site, relay, host, amended, importInto } = await setUp();
    await importInto();
    const other: Host = {
      name: "other",
      can: { resumes: true },
      place: async ({ layout }) =>
        layout.tracks.map(({ soundId }) => ({ soundId, holds: {}, notes: ["Elsewhere."] })),
    };
    await importInto(other, ["2"]);
    const reported = relay.reports.get("pkg_a")?.["2"];
    expect(reported?.notes).toContain("Elsewhere.");
    host.find({ "1": 3, "2": 3 });
    await soon(() => amended.length).toBe(1);
    expect(relay.reports.get("pkg_a")).toMatchObject({ "1": { differences: LOUDER } });
    expect(relay.reports.get("pkg_a")?.["2"]).toEqual(reported);
    const { results } = await site.journals().read("pkg_a");
    expect([...results.keys()]).toEqual(["live", "other"]);
    expect(results.get("live")?.get("2")?.differences).toEqual(LOUDER);
  });

  test("[R2][R18] keeps the amended report while the relay can't be reached", async () => {
    const { site, relay, host, amended, importInto } = await setUp();
    await importInto();
    relay.refuse.report = 503;
    host.find({ "1": 3 });
    await soon(() => amended.length).toBe(1);
    delete relay.refuse.report;
    await site.outbox().flush(relay.port());
    expect(relay.reports.get("pkg_a")).toMatchObject({ "1": { differences: LOUDER } });
  });

  test("[R18] isn't waited for by an importer that isn't started, and ends with one that closes", async () => {
    const once = await setUp({ isStarted: false });
    await once.importInto();
    expect(once.host.followed).toEqual([]);
    const { runs, store, host, importInto } = await setUp();
    await importInto();
    const [runId = ""] = host.followed;
    await runs.close();
    await soon(() => host.endOf(runId)).toBe("aborted");
    expect(store.state.diskTrouble).toBeNull();
  });
});

describe("a host without room for all sounds", () => {
  test("[R17] leaves the rest skipped with the reason, and with their files", async () => {
    const { site, host, relay, importInto } = await setUp();
    host.room = 1;
    expect(await importInto()).toMatchObject({ status: "partial" });
    expect(relay.reports.get("pkg_a")?.["2"]).toEqual({
      status: "skipped",
      error: "No room.",
      file: "Snare.wav",
      path: "Kit/Snare.wav",
    });
    expect(await site.listSounds()).toContain("Kit/Snare.wav");
  });

  test("[R10][R17] places the rest with the next import, and nothing twice", async () => {
    const { site, host, relay } = await setUp();
    host.room = 1;
    const source = () => relayPackage(offerKit(relay, ["Kick", "Snare"]), relay.port());
    await site.import(source(), { host });
    const asked: (readonly string[])[] = [];
    const place = host.place.bind(host);
    host.place = (request) => {
      asked.push(request.layout.tracks.flatMap((each) => ("error" in each ? [] : [each.soundId])));
      return place(request);
    };
    expect(await site.import(source(), { host })).toMatchObject({ status: "imported" });
    expect(asked).toEqual([["2"]]);
  });
});
