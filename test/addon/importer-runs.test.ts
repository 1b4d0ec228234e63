import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gatedHost } from "./paused-host.ts";
import { importerAtWork, type WorkOptions } from "./importer-at-work.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import { until } from "../sim/until.ts";

async function setUp(
  options: WorkOptions = {},
  names: readonly string[] = ["pkg_1_____________________"],
) {
  const relay = await startStandIn();
  for (const name of names) offerPackage(relay, name, ["Kick"]);
  return { relay, ...(await importerAtWork(relay.url, options)) };
}

describe("a background run", () => {
  test("[N3] is in the state from its start to its result", async () => {
    const gate = gatedHost();
    const { importer, relay } = await setUp({ more: { host: gate.host } });
    await importer.beginRun("pkg_1_____________________");
    expect(importer.state.runs).toMatchObject([
      { packageId: "pkg_1_____________________", title: "Kit 1" },
    ]);
    await gate.reached;
    gate.open();
    await until(() => importer.state.finished.length === 1);
    expect(importer.state.finished[0]?.result).toMatchObject({ outcome: { status: "imported" } });
    expect(importer.state.runs).toEqual([]);
    expect(relay.reports.has("pkg_1_____________________")).toBe(true);
  });

  test("[N3] of a missing package is refused with a sentence and leaves nothing in the state", async () => {
    const { importer } = await setUp();
    await expect(importer.beginRun("pkg_none__________________")).rejects.toThrow(
      /The relay has no package/,
    );
    expect([importer.state.runs, importer.state.finished]).toEqual([[], []]);
  });

  test("[N3] can be canceled, leaves nothing in the host, and can start again", async () => {
    const gate = gatedHost();
    const { importer } = await setUp({ more: { host: gate.host } });
    await importer.beginRun("pkg_1_____________________");
    await gate.reached;
    expect(importer.cancelRun("pkg_1_____________________")).toBe(true);
    await until(() => importer.state.finished.length === 1);
    const error = "The import was cancelled.";
    expect(importer.state.finished[0]?.result).toEqual({ error, code: "CANCELLED" });
    expect(importer.cancelRun("pkg_1_____________________")).toBe(false);
    gate.open();
    expect(await importer.import("pkg_1_____________________")).toMatchObject({
      status: "imported",
    });
  });

  test("[N3] is canceled at once while queued, and the active one continues", async () => {
    const gate = gatedHost();
    const { importer, relay } = await setUp({ more: { host: gate.host } }, [
      "pkg_1_____________________",
      "pkg_2_____________________",
    ]);
    await importer.beginRun("pkg_1_____________________");
    await gate.reached;
    await importer.beginRun("pkg_2_____________________");
    expect(importer.cancelRun("pkg_2_____________________")).toBe(true);
    await until(() => importer.state.finished.length === 1);
    expect(importer.state.finished[0]).toMatchObject({
      packageId: "pkg_2_____________________",
      result: { code: "CANCELLED" },
    });
    expect(importer.state.runs).toMatchObject([{ packageId: "pkg_1_____________________" }]);
    gate.open();
    await until(() => importer.state.finished.length === 2);
    expect([...relay.reports.keys()]).toEqual(["pkg_1_____________________"]);
  });

  test("[N3] a caller who joins a run and leaves again does not end it", async () => {
    const gate = gatedHost();
    const { importer } = await setUp({ more: { host: gate.host } });
    await importer.beginRun("pkg_1_____________________");
    await gate.reached;
    const leaves = new AbortController();
    const joined = importer.import("pkg_1_____________________", { signal: leaves.signal });
    leaves.abort();
    gate.open();
    expect(await joined).toMatchObject({ status: "imported" });
  });
});

describe("finished runs", () => {
  test("[N3] survive a restart", async () => {
    const { importer, folder } = await setUp({ faults: { failScene: true } });
    await importer.import("pkg_1_____________________");
    await expect(
      importer.import("pkg_1_____________________", { signal: AbortSignal.abort() }),
    ).rejects.toThrow();
    const { finished } = importer.state;
    expect(finished).toMatchObject([
      { packageId: "pkg_1_____________________", title: "Kit 1", result: { code: "CANCELLED" } },
      {
        packageId: "pkg_1_____________________",
        title: "Kit 1",
        result: { outcome: { status: "failed" } },
      },
    ]);
    await importer.close();
    const later = await importerAtWork(null, { folder });
    expect(later.importer.state.finished).toEqual(finished);
  });

  test("[N3] are the last twenty, the newest first", async () => {
    const { importer, folder, relay, settings } = await setUp();
    await importer.close();
    const old = Array.from({ length: 20 }, (_, index) => ({
      packageId: `pkg_old-${index}`,
      title: `Kit ${index}`,
      at: "2026-11-21T12:00:00.000Z",
      result: { error: "The import was cancelled.", code: "CANCELLED" },
    }));
    const path = join(settings.dataFolder, "finished-runs.json");
    await writeFile(path, JSON.stringify({ finished: old }));
    const later = await importerAtWork(relay.url, { folder });
    await later.importer.import("pkg_1_____________________");
    const ids = later.importer.state.finished.map(({ packageId }) => packageId);
    expect(ids).toEqual([
      "pkg_1_____________________",
      ...old.slice(0, 19).map(({ packageId }) => packageId),
    ]);
    const kept = JSON.parse(await readFile(path, "utf8"));
    expect(kept).toEqual({ finished: later.importer.state.finished });
  });

  test.each(["", "{", "[]", '{"finished":[{}]}', '{"finished":[{"packageId":1}]}'])(
    "[N3] an invalid file counts as empty: %s",
    async (text) => {
      const { importer, folder, settings } = await setUp();
      await importer.import("pkg_1_____________________");
      await importer.close();
      const path = join(settings.dataFolder, "finished-runs.json");
      expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ finished: [{}] });
      await writeFile(path, text);
      const later = await importerAtWork(null, { folder });
      expect(later.importer.state.finished).toEqual([]);
    },
  );
});

describe("the host's session", () => {
  test("[N5][R6] its tempo is known, and set by an import that asks for it", async () => {
    const { importer, session } = await setUp({}, [
      "pkg_1_____________________",
      "pkg_2_____________________",
    ]);
    await importer.start();
    await importer.lookAtHost();
    expect(importer.state.host).toMatchObject({ name: "preview", tempoBpm: 120, settings: [] });
    await importer.import("pkg_1_____________________");
    expect((await session()).tempo_bpm).toBe(120);
    await importer.import("pkg_2_____________________", { sessionTempoBpm: 126 });
    expect((await session()).tempo_bpm).toBe(126);
    await until(() => importer.state.host.tempoBpm === 126);
  });

  test("[R6] a canceled import leaves the tempo unchanged", async () => {
    const { importer, session } = await setUp();
    const cancel = ({ progress }: { progress: { phase: string } }) => {
      if (progress.phase === "placing") importer.cancelRun("pkg_1_____________________");
    };
    const importing = importer.import("pkg_1_____________________", {
      sessionTempoBpm: 126,
      onProgress: cancel,
    });
    await expect(importing).rejects.toThrow("The import was cancelled.");
    expect((await session()).tempo_bpm).toBe(120);
  });
});

test("[F6] kept files are known at the start and after each run, and can be cleared", async () => {
  const { importer, folder, relay } = await setUp({ faults: { failScene: true } });
  await importer.start();
  expect(importer.state.keptFiles).toEqual({ bytes: 0, clearableBytes: 0 });
  expect(await importer.import("pkg_1_____________________")).toMatchObject({ status: "failed" });
  await until(() => importer.state.keptFiles.clearableBytes > 0);
  const { keptFiles } = importer.state;
  expect(keptFiles.clearableBytes).toBe(keptFiles.bytes);
  await importer.close();
  const later = await importerAtWork(relay.url, { folder });
  await later.importer.start();
  await until(() => later.importer.state.keptFiles.bytes === keptFiles.bytes);
  await later.importer.import("pkg_1_____________________");
  await until(() => later.importer.state.keptFiles.clearableBytes === 0);
  expect(later.importer.state.keptFiles.bytes).toBe(keptFiles.bytes);
  const other = await setUp({ faults: { failScene: true } });
  await other.importer.import("pkg_1_____________________");
  await other.importer.clearKeptFiles();
  expect(other.importer.state.keptFiles).toEqual({ bytes: 0, clearableBytes: 0 });
});
