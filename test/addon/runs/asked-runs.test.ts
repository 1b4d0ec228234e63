import { describe, expect, test } from "vitest";
import type { Host } from "../../../addon/hosts/host.ts";
import { gatedHost } from "../paused-host.ts";
import { foundKit } from "./memory-source.ts";
import { newRuns, newStore } from "./new-store.ts";
import { temporarySite } from "./temporary-site.ts";

/** Runs that a panel or a command asks for, at two own hosts, of which the first is ready. */
async function setUp({ reusesTracks = false } = {}) {
  const [store, gate] = [newStore(), gatedHost()];
  Object.assign(gate.host.can, { reusesTracks });
  const second: Host = { ...gate.host, name: "second" };
  const foreign: Host = { ...gate.host, name: "foreign" };
  const asked: unknown[] = [];
  const undismissed: string[] = [];
  const runs = newRuns({
    store,
    hosts: { own: [gate.host, second] },
    host: {
      open: async (name) => {
        asked.push(name);
        return [second, foreign].find((host) => host.name === name) ?? gate.host;
      },
    },
    finder: { find: async (source) => foundKit(source) },
    undismiss: async ({ packageId }) => void undismissed.push(packageId),
    importDeps: (await temporarySite()).deps(),
  });
  return { runs, store, gate, second, foreign, asked, undismissed };
}

describe("a run that somebody asks for", () => {
  test("[R12] is in the state when the call returns, and its package is dismissed no longer", async () => {
    const { runs, store, gate, asked, undismissed } = await setUp();
    const { outcome } = await runs.ask("pkg_a", { host: "first" });
    expect(asked).toEqual(["first"]);
    expect(undismissed).toEqual(["pkg_a"]);
    expect(store.state.runs).toMatchObject([{ packageId: "pkg_a" }]);
    gate.open();
    expect(await outcome).toMatchObject({ package_id: "pkg_a", status: "imported" });
  });

  test("[R4] is refused before anything begins, where the host can't import on the same tracks", async () => {
    const { runs, store, undismissed } = await setUp();
    await expect(runs.ask("pkg_a", { reuseTracks: true })).rejects.toMatchObject({
      code: "TRACKS_NOT_REUSED",
      message: "This host can't import on the same tracks.",
    });
    expect([store.state.runs, undismissed]).toEqual([[], []]);
    const able = await setUp({ reusesTracks: true });
    able.gate.open();
    expect(await (await able.runs.ask("pkg_a", { reuseTracks: true })).outcome).toMatchObject({
      status: "imported",
    });
  });

  test("[R10] is refused with a code while other sounds of its package are imported", async () => {
    const { runs } = await setUp();
    const running = await runs.ask("pkg_a", { only: ["Kick"] });
    await expect(runs.ask("pkg_a", {})).rejects.toMatchObject({ code: "IMPORT_RUNS" });
    runs.cancel("pkg_a");
    await expect(running.outcome).rejects.toThrow();
  });

  test("[N3] that fails is the caller's to read", async () => {
    const { runs } = await setUp();
    const { outcome } = await runs.ask("pkg_a", { signal: AbortSignal.abort() });
    await expect(outcome).rejects.toThrow("The import was cancelled.");
  });
});

describe("a call that names no host", () => {
  test("[R9] joins the run at the other own host, and one that names a host doesn't", async () => {
    const { runs, store, gate, second } = await setUp();
    const first = runs.run(foundKit("pkg_a"), second, { host: "second" });
    const joined = runs.run(foundKit("pkg_a"), gate.host, {});
    const named = runs.run(foundKit("pkg_a"), gate.host, { host: "gated" });
    expect(store.state.runs).toMatchObject([{ packageId: "pkg_a" }, { otherHost: "gated" }]);
    gate.open();
    expect(await joined).toBe(await first);
    expect(await named).not.toBe(await first);
  });

  test("[R7] joins none at a host that isn't the importer's own", async () => {
    const { runs, store, gate, foreign } = await setUp();
    const other = runs.run(foundKit("pkg_a"), foreign, { host: "foreign" });
    const own = runs.run(foundKit("pkg_a"), gate.host, {});
    expect(store.state.runs).toMatchObject([{ otherHost: "foreign" }, { packageId: "pkg_a" }]);
    expect(store.state.runs[1]).not.toHaveProperty("otherHost");
    const again = runs.run(foundKit("pkg_a"), foreign, {});
    gate.open();
    expect(await again).toBe(await other);
    expect(await own).not.toBe(await other);
  });
});

test("[R12] a package is being imported until its last run is over", async () => {
  const { runs, gate } = await setUp();
  expect(runs.isRunning("pkg_a")).toBe(false);
  const running = runs.run(foundKit("pkg_a"), gate.host, {});
  expect([runs.isRunning("pkg_a"), runs.isRunning("pkg_b")]).toEqual([true, false]);
  gate.open();
  await running;
  expect(runs.isRunning("pkg_a")).toBe(false);
});

test("[R5] what is new is looked for once more after the journal was read", async () => {
  const { runs, store, gate } = await setUp();
  const both = [
    runs.runIfNew(foundKit("pkg_a"), gate.host, {}),
    runs.runIfNew(foundKit("pkg_a"), gate.host, {}),
  ];
  gate.open();
  const [one, other] = await Promise.all(both);
  expect(one).toBe(other);
  expect(store.state.finished).toHaveLength(1);
});
