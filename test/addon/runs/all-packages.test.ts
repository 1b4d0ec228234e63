import { describe, expect, test } from "vitest";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { importAll } from "../../../addon/runs/all-packages.ts";
import type { PackagesToImport } from "../../../addon/runs/importer-calls.ts";
import { MemorySource } from "./memory-source.ts";
import { smallWav } from "../../wav-bytes.ts";

const NOTHING: PackagesToImport = { packages: [], local: [] };

function outcomeOf(package_id: string): ImportOutcome {
  return { package_id, status: "imported", scene: { name: "Kit" }, folder: null, tracks: [] };
}

/** Imports the ids that each listing finds, in turn; the last listing repeats. */
function setUp(looks: readonly (readonly string[])[], found = NOTHING) {
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
    const { imported, run } = setUp([
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
    const { run } = setUp([["a", "b"]]);
    const { packages } = await run(async (id) => (id === "a" ? undefined : outcomeOf(id)));
    expect(packages.map(({ package_id }) => package_id)).toEqual(["b"]);
  });

  test("[R1] goes on after a package that can't be imported, and gives the reason", async () => {
    const { run } = setUp([["a", "b"]]);
    const { packages, failures } = await run(async (id) => {
      if (id === "a") throw new Error("No take.");
      return outcomeOf(id);
    });
    expect(packages).toEqual([outcomeOf("b")]);
    expect(failures).toEqual([{ source: "a", error: "No take." }]);
  });

  test("names an inbox folder that is no package, and a relay that is away, which it asks once", async () => {
    const { looked, run } = setUp([["a"]], {
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
    const { manifest } = new MemorySource([{ name: "Kick", wav: smallWav() }], "local_a");
    const local = [{ folder: "Kit", package_id: "local_a", manifest, imported: false }];
    const { run } = setUp([["local_a"]], { packages: [], local });
    expect(await run()).toEqual({ packages: [outcomeOf("local_a")], failures: [] });
  });

  test("asks the relay each time while it answers, also after a package that failed", async () => {
    const { looked, run } = setUp([["a"]]);
    await run(() => Promise.reject(new Error("No take.")));
    expect(looked).toEqual([true, true]);
  });

  test("ends with the signal: no package follows the one that was canceled", async () => {
    const { imported, run } = setUp([["a", "b"]]);
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
    const { run } = setUp([["a"]]);
    const running = run(() => Promise.reject(new Error("No.")), new AbortController().signal);
    expect((await running).failures).toEqual([{ source: "a", error: "No." }]);
  });
});
