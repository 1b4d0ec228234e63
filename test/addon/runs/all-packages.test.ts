import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import { RelayUnreachableError } from "../../../core/importer/relay-errors.ts";
import { AllPackages, type AllPackagesDeps, importAll } from "../../../addon/runs/all-packages.ts";
import type { ImportRuns } from "../../../addon/runs/import-runs.ts";
import type { PackagesToImport } from "../../../addon/runs/importer-calls.ts";
import type { InboxPackage } from "../../../addon/state/importer-state.ts";
import { gatedHost } from "../paused-host.ts";
import { foundKit } from "./memory-source.ts";
import { newStore } from "./new-store.ts";

const NOTHING: PackagesToImport = { packages: [], local: [] };
const AWAY = new RelayUnreachableError("Nothing answers.");
const { manifest } = foundKit("local_a").source;
const INBOX_KIT = { folder: "Kit", package_id: "local_a", manifest, imported: false };

function outcomeOf(package_id: string): ImportOutcome {
  return { package_id, status: "imported", scene: { name: "Kit" }, folder: null, tracks: [] };
}

/** Imports the ids that each listing finds, in turn; the last listing repeats. */
function setUpImport(looks: readonly (readonly string[])[], found = NOTHING) {
  const imported: string[] = [];
  const looked: boolean[] = [];
  const run = (
    importOne: (id: string) => Promise<ImportOutcome | undefined> = async (id) => outcomeOf(id),
    signal?: AbortSignal,
  ) =>
    importAll({
      relay: "https://relay.test",
      listPackages: async ({ withRelay }) => {
        looked.push(withRelay);
        return found;
      },
      listNew: async (given) => {
        expect(given).toBe(found);
        return looks[looked.length - 1] ?? looks.at(-1) ?? [];
      },
      importOne: async (id) => {
        imported.push(id);
        return importOne(id);
      },
      signal,
    });
  return { imported, looked, run };
}

describe("importing all that is new", () => {
  test("[R7] takes each package once, and what arrives meanwhile", async () => {
    const { imported, run } = setUpImport([
      ["a", "b"],
      ["a", "b"],
      ["c", "a"],
    ]);
    const { packages, failures } = await run();
    expect(imported).toEqual(["a", "b", "c"]);
    expect(packages.map(({ package_id }) => package_id)).toEqual(["a", "b", "c"]);
    expect(failures).toEqual([]);
  });

  test("[R7] leaves out what someone else has imported meanwhile", async () => {
    const { run } = setUpImport([["a", "b"]]);
    const { packages } = await run(async (id) => (id === "a" ? undefined : outcomeOf(id)));
    expect(packages.map(({ package_id }) => package_id)).toEqual(["b"]);
  });

  test("[R1] goes on after a package that can't be imported, and gives the reason", async () => {
    const { run } = setUpImport([["a", "b"]]);
    const { packages, failures } = await run(async (id) => {
      if (id === "a") throw new Error("No take.");
      return outcomeOf(id);
    });
    expect(packages).toEqual([outcomeOf("b")]);
    expect(failures).toEqual([{ source: "a", error: "No take." }]);
  });

  test("names an inbox folder that is no package, and a relay that is away, which it asks once", async () => {
    const { looked, run } = setUpImport([["a"]], {
      packages: [],
      local: [{ folder: "Broken", error: "No manifest." }],
      relay_error: "Nothing answers.",
    });
    expect((await run()).failures).toEqual([
      { source: "Broken", error: "No manifest." },
      { source: "https://relay.test", error: "Nothing answers." },
    ]);
    expect(looked).toEqual([true, false]);
  });

  test("[R5] does not count a package of the inbox as a failure", async () => {
    const local = [INBOX_KIT];
    const { run } = setUpImport([["local_a"]], { packages: [], local });
    expect(await run()).toEqual({ packages: [outcomeOf("local_a")], failures: [] });
  });

  test("asks the relay each time while it answers, also after a package that failed", async () => {
    const { looked, run } = setUpImport([["a"]]);
    await run(() => Promise.reject(new Error("No take.")));
    expect(looked).toEqual([true, true]);
  });

  test("ends with the signal: no package follows the one that was canceled", async () => {
    const { imported, run } = setUpImport([["a", "b"]]);
    const stop = new AbortController();
    const canceled = new Error("The import was cancelled.");
    const running = run(async () => {
      stop.abort();
      throw canceled;
    }, stop.signal);
    await expect(running).rejects.toBe(canceled);
    expect(imported).toEqual(["a"]);
  });

  test("counts a failure as one while the signal has not aborted", async () => {
    const { run } = setUpImport([["a"]]);
    const running = run(() => Promise.reject(new Error("No.")), new AbortController().signal);
    expect((await running).failures).toEqual([{ source: "a", error: "No." }]);
  });
});

/** The lists of a relay and an inbox, with runs that are only noted. */
function setUpLists({
  listed = ["pkg_a", "pkg_b"],
  isNew = listed,
}: Record<string, string[]> = {}) {
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
  const run: ImportRuns["run"] = async ({ packageId }, at, options) => {
    ran.push([packageId, at.name, options]);
    return box.run(packageId);
  };
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
      look: async () => ({ host, isReady: true }),
      open: async (name) => {
        box.opened.push(name);
        return host;
      },
    },
    finder: {
      findListed: async (id) => {
        if (box.missing.includes(id)) throw new Error(`${id} is gone.`);
        return foundKit(id);
      },
      listNew: async (list, name) => {
        expect(name).toBe("gated");
        const all = [...list.packages, ...list.local];
        return isNew.filter((id) =>
          all.some((one) => "package_id" in one && one.package_id === id),
        );
      },
    },
    runs: { run, runIfNew: run, stopAll: () => false, isRunning: (id) => box.running.includes(id) },
  };
  const all = new AllPackages(deps, () => void (box.settled += 1));
  return { all, box, ran, store };
}

describe("“Import all”", () => {
  test("[R7] queues a run for everything that is new, and tells when each is over", async () => {
    const { all, box, ran } = setUpLists({ isNew: ["pkg_b"] });
    box.run = () => Promise.reject(new Error("No take."));
    expect(await all.begin()).toEqual({ packages: 1, failures: [] });
    expect(box.opened).toEqual([undefined]);
    expect(ran).toEqual([["pkg_b", "gated", { isOfAll: true }]]);
    await setImmediate();
    expect(box.settled).toBe(1);
  });

  test("[R7] leaves a package alone that is being imported, and counts it", async () => {
    const { all, box, ran } = setUpLists();
    box.running = ["pkg_a"];
    expect((await all.begin()).packages).toBe(2);
    expect(ran).toEqual([["pkg_b", "gated", { isOfAll: true }]]);
  });

  test("[R1] goes on after a package that can't be opened, and gives the reason", async () => {
    const { all, box, ran } = setUpLists();
    box.missing = ["pkg_a"];
    expect(await all.begin()).toEqual({
      packages: 1,
      failures: [{ source: "pkg_a", error: "pkg_a is gone." }],
    });
    expect(ran).toEqual([["pkg_b", "gated", { isOfAll: true }]]);
  });

  test("[R5] fails where the relay is away and the inbox has nothing new", async () => {
    const { all, box } = setUpLists({ isNew: ["local_a"] });
    box.relay = AWAY;
    await expect(all.begin()).rejects.toThrow("Nothing answers.");
    box.local = [INBOX_KIT];
    expect((await all.begin()).packages).toBe(1);
    box.relay = undefined;
    box.local = [];
    expect(await all.begin()).toEqual({ packages: 0, failures: [] });
  });
});

describe("the list of packages", () => {
  test("[K5] has what the relay and the inbox offer, and which of it was dismissed", async () => {
    const { all, box, store } = setUpLists();
    expect(await all.read()).toEqual({
      packages: [{ package_id: "pkg_a" }, { package_id: "pkg_b" }],
      local: [],
    });
    box.local = [INBOX_KIT, { folder: "Broken", error: "No manifest." }];
    for (const id of ["pkg_b", "local_a", "pkg_old"]) store.markDismissed(id, true);
    expect(await all.read()).toMatchObject({
      local: box.local,
      dismissed: ["pkg_b", "local_a"],
    });
  });

  test("[K5] says why the relay's packages are missing, and passes on any other failure", async () => {
    const { all, box } = setUpLists();
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
    const { all, box, store } = setUpLists();
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
    const { all, box, ran } = setUpLists();
    expect(await all.importNew("pkg_a")).toEqual(outcomeOf("pkg_a"));
    expect([box.opened, ran]).toEqual([[undefined], [["pkg_a", "gated", {}]]]);
    box.run = () => Promise.reject(new Error("No take."));
    await expect(all.importNew("pkg_a")).rejects.toThrow("No take.");
    expect(box.settled).toBe(2);
  });

  test("[R5] lists what is new to it", async () => {
    const { all, store } = setUpLists({ isNew: ["pkg_a"] });
    expect(await all.listNew()).toEqual([]);
    store.change({ packages: [{ package_id: "pkg_a" } as ImportablePackage] });
    expect(await all.listNew()).toEqual(["pkg_a"]);
  });

  test("[R7] imports all at the host that was named, and asks a relay that is away once", async () => {
    const { all, box, ran, store } = setUpLists({ isNew: ["local_a"] });
    box.local = [INBOX_KIT];
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
