import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Host } from "../../../addon/hosts/host.ts";
import type { RelayPort } from "../../../addon/relay/relay-port.ts";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import type { PackageProgress } from "../../../addon/runs/importer-calls.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ManualTimers } from "../manual-timers.ts";
import { gatedHost } from "../paused-host.ts";
import { until } from "../../sim/until.ts";
import { MemorySource } from "./memory-source.ts";
import { newRuns, newStore } from "./new-store.ts";
import { LEASE_ANSWER, relayWith } from "./relay-with.ts";
import { temporarySite } from "./temporary-site.ts";

/** A host that takes everything at once. */
const QUICK: Host = {
  name: "quick",
  can: { resumes: true },
  place: async ({ layout, onProgress }) => {
    onProgress(1, 1);
    return layout.tracks.map(({ soundId }) => ({ soundId, holds: {}, notes: [] }));
  },
};

/** Runs at a host that is busy until its gate opens; calls to the relay are recorded. */
async function setUp() {
  const site = await temporarySite();
  const [store, timers, gate] = [newStore(), new ManualTimers(), gatedHost()];
  const runs = newRuns({ store, hosts: { own: [gate.host] }, importDeps: site.deps({ timers }) });
  const takes: string[] = [];
  const box = { refusal: undefined as unknown };
  const relay = relayWith({
    take: async (packageId) => {
      if (box.refusal !== undefined) throw box.refusal;
      takes.push(packageId);
      return LEASE_ANSWER;
    },
    report: async () => ({ status: "imported" }),
  });
  const found = (packageId: string, at?: RelayPort) => {
    const source = new MemorySource([{ name: "Kick", wav: smallWav() }], packageId, at);
    return { packageId, title: `Kit ${packageId}`, source };
  };
  return { site, store, timers, gate, runs, takes, box, relay, found };
}

describe("a run", () => {
  test("[N3] is in the state from the call to its end, with its progress", async () => {
    const { store, gate, runs, found } = await setUp();
    const running = runs.run(found("pkg_a"), gate.host, {});
    const waiting = { packageId: "pkg_a", title: "Kit pkg_a", progress: null, sounds: {} };
    expect(store.state.runs).toStrictEqual([waiting]);
    await gate.reached;
    expect(store.state.runs).toMatchObject([{ progress: { phase: "fetching" } }]);
    gate.open();
    const outcome = await running;
    expect(store.state).toMatchObject({ runs: [] });
    expect(store.state.finished).toEqual([
      {
        packageId: "pkg_a",
        title: "Kit pkg_a",
        at: "2026-11-21T00:00:00.000Z",
        result: { outcome },
      },
    ]);
  });

  test("[R7] at another host says so in the state", async () => {
    const { store, runs, found } = await setUp();
    await runs.run(found("pkg_a"), QUICK, {});
    expect(store.state.finished).toMatchObject([{ packageId: "pkg_a", otherHost: "quick" }]);
  });

  test("[N3] tells its caller how far it is", async () => {
    const { runs, found } = await setUp();
    const told: PackageProgress[] = [];
    await runs.run(found("pkg_a"), QUICK, { onProgress: (each) => told.push(each) });
    expect(told.at(-1)).toEqual({
      packageId: "pkg_a",
      title: "Kit pkg_a",
      progress: { phase: "placing", placed: 1, total: 1 },
    });
  });

  test("[N3] that fails is in the state with its sentence and code", async () => {
    const { store, runs, box, relay, found } = await setUp();
    const codes = [
      "CONNECTION_LOST",
      "ALREADY_PLACED",
      "RUN_ELSEWHERE",
      "NO_SUCH_PACKAGE",
      undefined,
    ];
    for (const code of codes) {
      box.refusal = new RelayError(404, `No: ${code}.`, { code });
      await expect(runs.run(found("pkg_a", relay), QUICK, {})).rejects.toBe(box.refusal);
    }
    expect(store.state.runs).toEqual([]);
    expect(store.state.finished.map(({ result }) => result)).toEqual([
      { error: "No: undefined.", code: null },
      { error: "No: NO_SUCH_PACKAGE.", code: null },
      { error: "No: RUN_ELSEWHERE.", code: "RUN_ELSEWHERE" },
      { error: "No: ALREADY_PLACED.", code: "ALREADY_PLACED" },
      { error: "No: CONNECTION_LOST.", code: "CONNECTION_LOST" },
    ]);
    box.refusal = { code: "CANCELLED", toString: () => "odd" };
    await expect(runs.run(found("pkg_a", relay), QUICK, {})).rejects.toBe(box.refusal);
    expect(store.state.finished[0]?.result).toEqual({ error: "odd", code: null });
  });
});

describe("a package that is being imported", () => {
  test("[N3] is joined by the next caller who asks for it at the same host", async () => {
    const { store, gate, runs, found } = await setUp();
    const told: PackageProgress[] = [];
    const first = runs.run(found("pkg_a"), gate.host, {});
    const onProgress = (each: PackageProgress) => told.push(each);
    const second = runs.run(found("pkg_a"), gate.host, { onProgress });
    await gate.reached;
    gate.open();
    expect(await second).toBe(await first);
    expect(store.state.finished).toHaveLength(1);
    expect(told).not.toEqual([]);
  });

  test("[N3] is not joined when the run is over, nor for another package", async () => {
    const { store, runs, found } = await setUp();
    const both = [runs.run(found("pkg_a"), QUICK, {}), runs.run(found("pkg_b"), QUICK, {})];
    const [one, other] = await Promise.all(both);
    expect(one?.package_id).toBe("pkg_a");
    expect(other?.package_id).toBe("pkg_b");
    await runs.run(found("pkg_a"), QUICK, {});
    expect(store.state.finished).toHaveLength(3);
  });

  test("[R7] goes to another host in a run of its own, after the first", async () => {
    const { store, gate, runs, found } = await setUp();
    const first = runs.run(found("pkg_a"), gate.host, {});
    const second = runs.run(found("pkg_a"), QUICK, {});
    await gate.reached;
    expect(store.state.runs).toMatchObject([{ packageId: "pkg_a" }, { otherHost: "quick" }]);
    expect(store.state.runs[1]?.progress).toBeNull();
    gate.open();
    await Promise.all([first, second]);
    expect(store.state.finished.map(({ otherHost }) => otherHost)).toEqual(["quick", undefined]);
  });
});

describe("importing what is new", () => {
  test("[R5] imports a package that the host does not have, and no other", async () => {
    const { store, runs, found } = await setUp();
    expect(await runs.runIfNew(found("pkg_a"), QUICK, {})).toMatchObject({ status: "imported" });
    expect(await runs.runIfNew(found("pkg_a"), QUICK, {})).toBeUndefined();
    expect(store.state.finished).toHaveLength(1);
  });

  test("[R5] joins a run under way, also of a package that the host has", async () => {
    const { gate, runs, found } = await setUp();
    gate.open();
    await runs.run(found("pkg_a"), gate.host, {});
    const again = runs.run(found("pkg_a"), gate.host, {});
    expect(await runs.runIfNew(found("pkg_a"), gate.host, {})).toBe(await again);
  });
});

describe("a cancel", () => {
  test("[R7] ends all runs of a package, and none of another's", async () => {
    const { store, gate, runs, found } = await setUp();
    expect(runs.cancel("pkg_a")).toBe(false);
    const canceled = [runs.run(found("pkg_a"), gate.host, {}), runs.run(found("pkg_a"), QUICK, {})];
    const other = runs.run(found("pkg_b"), QUICK, {});
    await gate.reached;
    expect(runs.cancel("pkg_a")).toBe(true);
    for (const run of canceled) await expect(run).rejects.toThrow("The import was cancelled.");
    expect(await other).toMatchObject({ status: "imported" });
    const results = store.state.finished.filter(({ packageId }) => packageId === "pkg_a");
    expect(results.map(({ result }) => result)).toEqual(
      Array.from({ length: 2 }, () => ({ error: "The import was cancelled.", code: "CANCELLED" })),
    );
    expect(runs.cancel("pkg_a")).toBe(false);
  });

  test("[N3] comes from the caller's signal, before the run or while it works", async () => {
    const { gate, runs, found, takes, relay } = await setUp();
    const before = runs.run(found("pkg_a", relay), gate.host, { signal: AbortSignal.abort() });
    await expect(before).rejects.toThrow("The import was cancelled.");
    expect(takes).toEqual([]);
    const stop = new AbortController();
    const during = runs.run(found("pkg_b"), gate.host, { signal: stop.signal });
    await gate.reached;
    stop.abort();
    await expect(during).rejects.toThrow("The import was cancelled.");
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    const other = new AbortController();
    await runs.run(found("pkg_c"), QUICK, { signal: other.signal });
    expect(getEventListeners(other.signal, "abort")).toEqual([]);
  });
});

test("[F6] other work with the sounds folder waits for the run, and a later run for it", async () => {
  const { gate, runs, found } = await setUp();
  const order: string[] = [];
  const later: Host = {
    ...QUICK,
    place: (request) => {
      order.push("later run");
      return QUICK.place(request);
    },
  };
  const first = runs.run(found("pkg_a"), gate.host, {});
  const work = runs.runExclusive(async () => void order.push("work"));
  const last = runs.run(found("pkg_b"), later, {});
  await gate.reached;
  expect(order).toEqual([]);
  gate.open();
  await Promise.all([first, work, last]);
  expect(order).toEqual(["work", "later run"]);
});

describe("the lease of a run", () => {
  test("[S2] is renewed each minute until the run is over", async () => {
    const { timers, gate, runs, takes, relay, found } = await setUp();
    const running = runs.run(found("pkg_a", relay), gate.host, {});
    await gate.reached;
    expect(takes).toEqual(["pkg_a"]);
    timers.advance(60_000);
    await until(() => timers.remaining.length === 1);
    timers.advance(60_000);
    await setImmediate();
    expect(takes).toEqual(["pkg_a", "pkg_a", "pkg_a"]);
    gate.open();
    await running;
    expect(timers.remaining).toEqual([]);
  });

  test("[S2] ends with a run that fails", async () => {
    const { timers, gate, runs, relay, found } = await setUp();
    const running = runs.run(found("pkg_a", relay), gate.host, {});
    await gate.reached;
    expect(timers.remaining).toEqual([60_000]);
    runs.cancel("pkg_a");
    await expect(running).rejects.toThrow();
    expect(timers.remaining).toEqual([]);
  });
});
