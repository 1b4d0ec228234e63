import { describe, expect, test } from "vitest";
import { LeftBehindError, type PlaceRequest } from "../../../addon/hosts/host.ts";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import { AlreadyPlacedError } from "../../../addon/hosts/already-placed.ts";
import { ImportCancelledError } from "../../../core/importer/import-errors.ts";
import { ImportRun } from "../../../addon/runs/import-run.ts";
import { failWith } from "./memory-source.ts";
import { NAMES, setUpNoting as setUp } from "./noting-run.ts";

const refuse = ({ journal }: PlaceRequest) =>
  journal.step("make the scene", () => Promise.reject(new Error("the Set is locked.")));

describe("a host", () => {
  test("[R6] gets the place, the tempo and the settings that the import asks for", async () => {
    const { host, run } = await setUp();
    const after = {};
    const tempoHost = Object.assign(host, { readTempo: async () => 120 });
    const settings = { "correct-tempo": true };
    await run({ host: tempoHost, sessionTempoBpm: 99, after, settings });
    expect(host.requests).toMatchObject([{ sessionTempoBpm: 99, settings }]);
    expect(host.requests[0]?.after).toBe(after);
  });

  test("[R6] gets none of them where nobody asks, and no tempo where it has none", async () => {
    const { host, run } = await setUp();
    await run({ sessionTempoBpm: 99 });
    await run({ host: Object.assign(host, { readTempo: async () => 120 }) });
    for (const request of host.requests) {
      expect(Object.keys(request)).toEqual(["layout", "files", "journal", "signal", "onProgress"]);
    }
  });

  test("[R1] gets the files of the usable sounds only, and is not asked without one", async () => {
    const { host, run, source } = await setUp();
    source.problems.set("1", "Kick.wav: its size is not known.");
    expect((await run()).status).toBe("partial");
    expect([...(host.requests[0]?.files.keys() ?? [])]).toEqual(["2"]);
    source.problems.set("2", "Snare.wav: its size is not known.");
    expect(await run()).toMatchObject({ status: "failed", folder: null });
    expect(host.requests).toHaveLength(1);
  });
});

describe("a package of a folder", () => {
  test("[R5] is neither taken nor reported, and counts as imported", async () => {
    const { calls, run, phases, journal } = await setUp("folder");
    expect((await run()).status).toBe("imported");
    expect(calls).toEqual([]);
    expect(phases()).toEqual(["fetching"]);
    const { importedInto, unfinished, title } = await journal();
    expect([...importedInto]).toEqual(["noting"]);
    expect(unfinished.size).toBe(0);
    expect(title).toBe("Kit");
  });

  test("[R5] whose sounds the host refuses is a failed run, and does not count as imported", async () => {
    const { host, run, journal } = await setUp("folder");
    host.act = refuse;
    const { status, tracks } = await run();
    expect(status).toBe("failed");
    expect(tracks.map(({ error }) => error)).toEqual(
      NAMES.map(() => "Noting couldn't make the scene: the Set is locked."),
    );
    const { importedInto, unfinished } = await journal();
    expect([importedInto.size, unfinished.size]).toEqual([0, 0]);
  });
});

describe("a package of a relay", () => {
  test("[S2][R2] is taken first and reported last", async () => {
    const { calls, run, told, phases } = await setUp("relay");
    await run();
    expect(calls).toEqual(["take pkg_a", "report pkg_a"]);
    expect(phases()).toEqual(["taken", "fetching", "reported"]);
    expect(told.at(-2)).toEqual({ phase: "fetching", doneBytes: 488, totalBytes: 488 });
    expect(told.at(-1)).toEqual({ phase: "reported", isKnown: true });
  });

  test("[R2] is reported before it is taken again, where the report waits", async () => {
    const { calls, run, told, box } = await setUp("relay");
    box.report = new RelayError(500, "No.");
    await run();
    expect(told.at(-1)).toEqual({ phase: "reported", isKnown: false });
    box.report = undefined;
    await run();
    expect(calls.slice(2)).toEqual(["report pkg_a", "take pkg_a", "report pkg_a"]);
  });

  test("[R1] stops the run when it can't be had any more", async () => {
    const { run, box, source, host } = await setUp("relay");
    source.attempts.set("Kick.wav", [
      (request) => {
        box.take = new RelayError(404, "Gone.", { code: "PACKAGE_UNKNOWN" });
        return failWith(new RelayError(404, "No such file.", { code: "FILE_UNKNOWN" }))(request);
      },
    ]);
    await expect(run()).rejects.toThrow("Gone.");
    expect(host.requests).toEqual([]);
  });

  test("[R7] is not reported as failed once some host has it; the run stays to be resumed", async () => {
    const { calls, host, run, journal } = await setUp("relay");
    await run();
    host.act = refuse;
    expect((await run()).status).toBe("failed");
    expect(calls.filter((call) => call.startsWith("report"))).toHaveLength(1);
    const { importedInto, unfinished } = await journal();
    expect([...importedInto]).toEqual(["noting"]);
    expect(unfinished.get("noting")?.steps).toEqual([]);
  });

  test("[R7] is reported as failed while no host has it", async () => {
    const { calls, host, run, journal } = await setUp("relay");
    host.act = refuse;
    await run();
    expect(calls.at(-1)).toBe("report pkg_a");
    expect((await journal()).unfinished.size).toBe(0);
  });
});

describe("what an earlier run left", () => {
  /** Crashes in the middle of the second step, after `first`. */
  async function crash(first: (request: PlaceRequest) => Promise<unknown>) {
    const options = await setUp();
    const { host, run } = options;
    const stopped = Promise.withResolvers<void>();
    const act = host.act;
    host.act = async (request) => {
      await first(request);
      stopped.resolve();
      return new Promise<never>(() => undefined);
    };
    void run();
    await stopped.promise;
    host.act = act;
    return options;
  }
  const scene = ({ journal }: PlaceRequest) => journal.step("make the scene", () => 1);

  test("[R4] is asked about each time, until the package is in the host", async () => {
    const { host, run, journal } = await crash(scene);
    await expect(run()).rejects.toThrow(AlreadyPlacedError);
    await expect(run({ again: false })).rejects.toThrow("Done: make the scene.");
    const act = host.act;
    host.act = refuse;
    expect((await run({ again: true })).status).toBe("failed");
    await expect(run()).rejects.toThrow("Done: make the scene.");
    host.act = act;
    expect((await run({ again: true })).status).toBe("imported");
    expect(new Set(host.requests.map(({ journal: { runId } }) => runId)).size).toBe(1);
    expect((await journal()).unfinished.size).toBe(0);
    expect((await run()).status).toBe("imported");
  });

  test("[R4] stays as it was when the next run places nothing", async () => {
    const { host, run, journal } = await crash(scene);
    host.act = async (request) => {
      await scene(request);
      return request.layout.tracks.map(({ soundId }) => ({ soundId, error: "No." }));
    };
    expect((await run({ again: true })).status).toBe("failed");
    expect((await journal()).unfinished.get("noting")?.steps).toHaveLength(1);
  });

  test("[R4] is asked about still after the second run was canceled", async () => {
    const { host, run } = await crash(scene);
    const act = host.act;
    const cancel = new AbortController();
    host.act = async () => {
      cancel.abort();
      throw new Error("cancelled");
    };
    await expect(run({ again: true, signal: cancel.signal })).rejects.toThrow(ImportCancelledError);
    host.act = act;
    await expect(run()).rejects.toThrow("Done: make the scene.");
  });

  test("[R4] is not asked about when it is nothing in the session", async () => {
    const leavesNothing = { leavesNothing: true };
    const copied = await crash(({ journal }) => journal.step("copy it", () => 1, leavesNothing));
    expect((await copied.run()).status).toBe("imported");
    expect(copied.host.requests.at(-1)?.journal.earlier).toMatchObject([{ label: "copy it" }]);
    const refused = await crash((request) => refuse(request).catch(() => undefined));
    expect((await refused.run()).status).toBe("imported");
  });

  test("[R4] is handed to a host that recognizes it, in the same run", async () => {
    const { host, run } = await crash(scene);
    Object.assign(host.can, { resumes: true });
    expect((await run()).status).toBe("imported");
    const [first, second] = host.requests.map(({ journal }) => journal);
    expect(second?.runId).toBe(first?.runId);
    expect(second?.earlier).toEqual([{ label: "make the scene", state: "done", outcome: 1 }]);
  });
});

describe("an import that ends early", () => {
  test("[R4] says what stays at the host, also when it was canceled", async () => {
    const { host, run, journal } = await setUp();
    const cancel = new AbortController();
    const left = new LeftBehindError("The track Kick stays.");
    host.act = async ({ journal: steps }) => {
      await steps.step("make the track", () => 1);
      cancel.abort();
      throw left;
    };
    await expect(run({ signal: cancel.signal })).rejects.toBe(left);
    expect((await journal()).unfinished.get("noting")?.steps).toHaveLength(1);
  });

  test("[N3] is canceled where the host only gives up, with the cause", async () => {
    const { host, run } = await setUp();
    const cancel = new AbortController();
    host.act = async (request) => {
      cancel.abort();
      return refuse(request);
    };
    const error = await run({ signal: cancel.signal }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ImportCancelledError);
    expect(error).toMatchObject({ cause: { message: expect.stringContaining("the Set") } });
  });

  test("[N3] just before the host is asked places nothing", async () => {
    const { site, host, source } = await setUp();
    const cancel = new AbortController();
    const settingsOf = () => {
      cancel.abort();
      return undefined;
    };
    const options = { signal: cancel.signal, onProgress: () => undefined };
    const running = new ImportRun(source, { ...site.deps({ host }), settingsOf }, options).import();
    await expect(running).rejects.toThrow(ImportCancelledError);
    expect(host.requests).toEqual([]);
  });

  test("[R1] passes on what else the host throws, and nothing of it is left", async () => {
    const { host, run, journal } = await setUp();
    const broken = new Error("broken");
    host.act = async ({ journal: steps }) => {
      await steps.step("make the track", () => 1);
      throw broken;
    };
    await expect(run()).rejects.toBe(broken);
    expect((await journal()).unfinished.get("noting")?.steps).toEqual([]);
  });
});
