import { describe, expect, test } from "vitest";
import { type Host, LeftBehindError, type PlaceRequest } from "../../../addon/hosts/host.ts";
import { ImportCancelledError } from "../../../core/importer/import-errors.ts";
import { ImportRun } from "../../../addon/runs/import-run.ts";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import { setUpNoting } from "./noting-run.ts";

const makeTrack = ({ journal }: PlaceRequest) => journal.step("make the track", () => 1);
const LEFT = new LeftBehindError("The track Kick stays.");
const leaveTrack = async (request: PlaceRequest) => {
  await makeTrack(request);
  throw LEFT;
};
const refuse = ({ journal }: PlaceRequest) =>
  journal.step("make the scene", () => Promise.reject(new Error("the Set is locked.")));

/** A cancel by the person, as the panel's button makes it. */
function personCancels(abort: AbortController) {
  abort.abort(new ImportCancelledError());
}

describe("a person's cancel", () => {
  /** Cancels a run of the first sound once it has a track; returns its error and what the journal keeps. */
  async function cancelMidway({ error = new Error("stopped"), cancel = personCancels } = {}) {
    const set = await setUpNoting();
    const { host, run, journal } = set;
    const abort = new AbortController();
    host.act = async (request) => {
      await makeTrack(request);
      cancel(abort);
      throw error;
    };
    const failure: unknown = await run({ soundIds: ["1"], signal: abort.signal }).catch(
      (error: unknown) => error,
    );
    return { ...set, failure, unfinished: (await journal()).unfinished.get("noting") };
  }

  test("[R13] ends the choice of sounds where nothing is left", async () => {
    const { failure, unfinished } = await cancelMidway();
    expect(failure).toBeInstanceOf(ImportCancelledError);
    expect(unfinished).toMatchObject({ soundIds: undefined, steps: [] });
  });

  test("[R13] keeps the choice where the host still holds a part of it", async () => {
    const { failure, unfinished } = await cancelMidway({ error: LEFT });
    expect(failure).toBe(LEFT);
    expect(unfinished).toMatchObject({ soundIds: ["1"], steps: [{ label: "make the track" }] });
  });

  test("[R13] keeps the choice of a run that had already left a part", async () => {
    const { host, run, journal } = await cancelMidway({ error: LEFT });
    const abort = new AbortController();
    host.act = async () => {
      personCancels(abort);
      throw new Error("stopped");
    };
    const again = run({ again: true, signal: abort.signal });
    await expect(again).rejects.toThrow(ImportCancelledError);
    const { unfinished } = await journal();
    expect(unfinished.get("noting")).toMatchObject({
      soundIds: ["1"],
      steps: [{ label: "make the track" }],
    });
  });

  test("[R13] ends the choice, but a stop of the importer keeps it", async () => {
    const cancel = (abort: AbortController) => abort.abort(new Error("Soundferry is closing."));
    const { failure, unfinished } = await cancelMidway({ cancel });
    expect(failure).toBeInstanceOf(ImportCancelledError);
    expect(unfinished).toMatchObject({ soundIds: ["1"], steps: [] });
  });
});

describe("a further import on the same tracks", () => {
  test("[R4] tells the host both, and doesn't ask about what an earlier run left", async () => {
    const { host, run } = await setUpNoting();
    const { act } = host;
    host.act = leaveTrack;
    await expect(run()).rejects.toBe(LEFT);
    host.act = act;
    await expect(run({ reuseTracks: false })).rejects.toThrow("Done: make the track.");
    expect((await run({ reuseTracks: true })).status).toBe("imported");
    expect(host.requests.at(-1)).toMatchObject({ again: true, reuseTracks: true });
    expect((await run({ again: true })).status).toBe("imported");
    expect(host.requests.at(-1)).toMatchObject({ again: true });
    expect(host.requests.at(-1)).not.toHaveProperty("reuseTracks");
  });

  test("[R10] takes all sounds, also those that the host has", async () => {
    const { host, run } = await setUpNoting();
    await run({ soundIds: ["1"] });
    await run({ reuseTracks: true });
    expect([...(host.requests.at(-1)?.files.keys() ?? [])]).toEqual(["1", "2"]);
  });
});

describe("a host that keeps nothing of earlier imports", () => {
  test("[R11] has only the sounds of its last one, but for one that failed", async () => {
    const { host, run, journal } = await setUpNoting();
    Object.assign(host.can, { replacesEarlier: true });
    const { act } = host;
    await run({ soundIds: ["1"] });
    host.act = refuse;
    expect((await run({ soundIds: ["2"] })).status).toBe("failed");
    const failed = (await journal()).results.get("noting");
    expect([...(failed ?? [])].map(([id, { status }]) => [id, status])).toEqual([
      ["1", "imported"],
      ["2", "failed"],
    ]);
    host.act = act;
    await run({ soundIds: ["2"] });
    expect([...((await journal()).results.get("noting")?.keys() ?? [])]).toEqual(["2"]);
  });

  test("[R11] says so in the report, which ends the journal where a crash kept it open", async () => {
    const { site, host, run, box } = await setUpNoting("relay");
    box.report = new RelayError(500, "No.");
    await run({ soundIds: ["1"] });
    const endOf = async () => (await site.outbox().runOf("pkg_a")) as { end: object };
    expect((await endOf()).end).not.toHaveProperty("replaces_earlier");
    Object.assign(host.can, { replacesEarlier: true });
    await run({ soundIds: ["2"] });
    expect((await endOf()).end).toMatchObject({ status: "partial", replaces_earlier: true });
  });
});

test("[F5] an import of the rest names the folder, where a file of an earlier one lies in it", async () => {
  const { host, run } = await setUpNoting();
  host.act = async ({ files }) =>
    [...files.keys()].map((soundId) => ({ soundId, holds: {}, notes: [] }));
  const first = await run({ soundIds: ["1"] });
  expect(first.folder).not.toBeNull();
  const second = await run({ soundIds: ["2"] });
  expect(second.tracks.map(({ file }) => file)).toEqual(["Kick.wav", "Snare.wav"]);
  expect(second.folder).toBe(first.folder);
});

test("[R1] an importer without settings for hosts gives them none", async () => {
  const { site, host, source } = await setUpNoting();
  const { settingsOf: _, ...deps } = site.deps({ host });
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  expect((await new ImportRun(source, deps, options).import()).status).toBe("imported");
  expect(host.requests[0]).not.toHaveProperty("settings");
});

describe("the lease of a run", () => {
  test("[R7] is taken from this importer's own run that stopped at another host, and from no other", async () => {
    const { site, host, source, run, box, calls } = await setUpNoting("relay");
    const { act } = host;
    host.act = leaveTrack;
    await expect(run()).rejects.toBe(LEFT);
    host.act = act;
    const other: Host = { name: "other", can: host.can, place: act };
    const elsewhere = () => site.import(source, { host: other });
    box.holder = "run_of_somebody";
    await expect(elsewhere()).rejects.toThrow("Taken.");
    box.holder = host.requests[0]?.journal.runId;
    calls.length = 0;
    expect((await elsewhere()).status).toBe("imported");
    expect(calls).toEqual(["take pkg_a", "take pkg_a", "take pkg_a", "report pkg_a"]);
  });
});
