import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RelayUnreachableError } from "../../../addon/relay/relay-errors.ts";
import { AllPackages, type AllPackagesDeps } from "../../../addon/runs/all-packages.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import type { InboxPackage } from "../../../addon/state/importer-state.ts";
import { smallWav } from "../../wav-bytes.ts";
import { gatedHost } from "../paused-host.ts";
import { MemorySource } from "./memory-source.ts";
import { newStore } from "./new-store.ts";

const source = (packageId: string) =>
  new MemorySource([{ name: "Kick", wav: smallWav() }], packageId);
const found = (packageId: string) => ({ packageId, title: "Kit", source: source(packageId) });
const AWAY = new RelayUnreachableError("Nothing answers.");

function outcomeOf(package_id: string): ImportOutcome {
  return { package_id, status: "imported", scene: { name: "Kit" }, folder: null, tracks: [] };
}

/** The lists of a relay and an inbox, with runs that are only noted. */
function setUp({ listed = ["pkg_a", "pkg_b"], isNew = listed }: Record<string, string[]> = {}) {
  const store = newStore();
  const host = gatedHost().host;
  const ran: unknown[] = [];
  const box = {
    relay: undefined as unknown,
    local: [] as readonly InboxPackage[],
    running: [] as readonly string[],
    missing: [] as readonly string[],
    run: (id: string): Promise<ImportOutcome> => Promise.resolve(outcomeOf(id)),
    settled: 0,
    opened: [] as unknown[],
  };
  const choice = { host, isReady: true };
  const deps: AllPackagesDeps = {
    store,
    relay: {
      readPackages: async () => {
        if (box.relay !== undefined) throw box.relay;
        const packages = listed.map((package_id) => ({ package_id }) as ImportablePackage);
        return { packages };
      },
    },
    inbox: { read: async () => box.local },
    host: {
      look: async () => choice,
      open: async (name) => {
        box.opened.push(name);
        return host;
      },
    },
    finder: {
      find: async (id) => {
        if (box.missing.includes(id)) throw new Error(`${id} is gone.`);
        return found(id);
      },
      listNew: async (list, name) => {
        expect(name).toBe("gated");
        const all = [...list.packages, ...list.local];
        const ids = new Set(all.map((one) => Reflect.get(one, "package_id")));
        return isNew.filter((id) => ids.has(id));
      },
    },
    runs: {
      run: async (one, at, options) => {
        ran.push([one.packageId, at.name, options]);
        return box.run(one.packageId);
      },
      runIfNew: async (one, at, options) => {
        ran.push([one.packageId, at.name, options]);
        return box.run(one.packageId);
      },
      isRunning: (id) => box.running.includes(id),
    },
  };
  const all = new AllPackages(deps, () => void (box.settled += 1));
  return { all, box, ran, store };
}

describe("“Import all”", () => {
  test("[R7] queues a run for everything that is new, and tells when each is over", async () => {
    const { all, box, ran } = setUp({ isNew: ["pkg_b"] });
    box.run = () => Promise.reject(new Error("No take."));
    expect(await all.begin()).toEqual({ packages: 1, failures: [] });
    expect(box.opened).toEqual([undefined]);
    expect(ran).toEqual([["pkg_b", "gated", {}]]);
    await setImmediate();
    expect(box.settled).toBe(1);
  });

  test("[R7] leaves a package alone that is being imported, and counts it", async () => {
    const { all, box, ran } = setUp();
    box.running = ["pkg_a"];
    expect((await all.begin()).packages).toBe(2);
    expect(ran).toEqual([["pkg_b", "gated", {}]]);
  });

  test("[R1] goes on after a package that can't be opened, and gives the reason", async () => {
    const { all, box, ran } = setUp();
    box.missing = ["pkg_a"];
    expect(await all.begin()).toEqual({
      packages: 1,
      failures: [{ source: "pkg_a", error: "pkg_a is gone." }],
    });
    expect(ran).toEqual([["pkg_b", "gated", {}]]);
  });

  test("[R5] fails where the relay is away and the inbox has nothing new", async () => {
    const { all, box } = setUp({ isNew: ["local_a"] });
    box.relay = AWAY;
    await expect(all.begin()).rejects.toThrow("Nothing answers.");
    const { manifest } = source("local_a");
    box.local = [{ folder: "Kit", package_id: "local_a", manifest, imported: false }];
    expect((await all.begin()).packages).toBe(1);
    box.relay = undefined;
    box.local = [];
    expect(await all.begin()).toEqual({ packages: 0, failures: [] });
  });
});

describe("the list of packages", () => {
  test("[K5] has what the relay and the inbox offer, and which of it was dismissed", async () => {
    const { all, box, store } = setUp();
    expect(await all.read()).toEqual({
      packages: [{ package_id: "pkg_a" }, { package_id: "pkg_b" }],
      local: [],
    });
    const { manifest } = source("local_a");
    box.local = [
      { folder: "Kit", package_id: "local_a", manifest, imported: false },
      { folder: "Broken", error: "No manifest." },
    ];
    for (const id of ["pkg_b", "local_a", "pkg_old"]) store.markDismissed(id, true);
    expect(await all.read()).toMatchObject({
      local: box.local,
      dismissed: ["pkg_b", "local_a"],
    });
  });

  test("[K5] says why the relay's packages are missing, and passes on any other failure", async () => {
    const { all, box } = setUp();
    box.relay = AWAY;
    expect(await all.read()).toEqual({
      packages: [],
      local: [],
      relay_error: "Nothing answers.",
    });
    box.relay = new Error("The state can't be read.");
    await expect(all.read()).rejects.toBe(box.relay);
  });

  test("[P9] says why no app is paired any more, as long as the relay answers", async () => {
    const { all, box, store } = setUp();
    expect(await all.read()).not.toHaveProperty("relay_note");
    store.change({ connection: { ...store.state.connection, newBecause: "forgotten" } });
    const { relay_note: note } = await all.read();
    expect(note).toMatch(/pair/i);
    expect((await all.importAll({})).failures).toEqual([{ source: "the relay", error: note }]);
    box.relay = AWAY;
    expect(await all.read()).not.toHaveProperty("relay_note");
  });
});

describe("importing what is new", () => {
  test("[R5] imports one package at the current host", async () => {
    const { all, box, ran } = setUp();
    expect(await all.importNew("pkg_a")).toEqual(outcomeOf("pkg_a"));
    expect([box.opened, ran]).toEqual([[undefined], [["pkg_a", "gated", {}]]]);
    box.run = () => Promise.reject(new Error("No take."));
    await expect(all.importNew("pkg_a")).rejects.toThrow("No take.");
    expect(box.settled).toBe(2);
  });

  test("[R5] lists what is new to it", async () => {
    const { all, store } = setUp({ isNew: ["pkg_a"] });
    expect(await all.listNew()).toEqual([]);
    store.change({ packages: [{ package_id: "pkg_a" } as ImportablePackage] });
    expect(await all.listNew()).toEqual(["pkg_a"]);
  });

  test("[R7] imports all at the host that was named, and asks a relay that is away once", async () => {
    const { all, box, ran, store } = setUp({ isNew: ["local_a"] });
    const { manifest } = source("local_a");
    box.local = [{ folder: "Kit", package_id: "local_a", manifest, imported: false }];
    box.relay = AWAY;
    store.change({ connection: { ...store.state.connection, relayUrl: "http://relay.test" } });
    expect(await all.importAll({ host: "gated" })).toEqual({
      packages: [outcomeOf("local_a")],
      failures: [{ source: "http://relay.test", error: "Nothing answers." }],
    });
    expect(box.opened).toEqual(["gated"]);
    expect(ran).toEqual([["local_a", "gated", { host: "gated" }]]);
  });
});
