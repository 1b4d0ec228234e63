import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gatedHost } from "./paused-host.ts";
import { importerAtWork, type WorkOptions } from "./importer-at-work.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import { until } from "../sim/until.ts";

async function setUp(options: WorkOptions = {}) {
  const relay = await startStandIn();
  offerPackage(relay, "pkg_1", ["Kick"]);
  return { relay, ...(await importerAtWork(relay.url, options)) };
}

describe("kept files", () => {
  test("[F6] are known at the start and after each run", async () => {
    const { importer, folder, relay } = await setUp({ faults: { failScene: true } });
    await importer.start();
    expect(importer.state.keptFiles).toEqual({ bytes: 0, clearableBytes: 0 });
    expect(await importer.import("pkg_1")).toMatchObject({ status: "failed" });
    await until(() => importer.state.keptFiles.clearableBytes > 0);
    const { keptFiles } = importer.state;
    expect(keptFiles.clearableBytes).toBe(keptFiles.bytes);
    await importer.close();
    const later = await importerAtWork(relay.url, { folder });
    await later.importer.start();
    await until(() => later.importer.state.keptFiles.bytes === keptFiles.bytes);
    await later.importer.import("pkg_1");
    await until(() => later.importer.state.keptFiles.clearableBytes === 0);
    expect(later.importer.state.keptFiles.bytes).toBe(keptFiles.bytes);
  });

  test("[F6] are cleared after the active run, never during it", async () => {
    const gate = gatedHost();
    const { importer } = await setUp({ more: { host: gate.host } });
    const importing = importer.import("pkg_1");
    await gate.reached;
    const order: string[] = [];
    void importing.then(() => order.push("imported"));
    const clearing = importer.clearKeptFiles().then(() => order.push("cleared"));
    gate.open();
    const { folder, tracks } = await importing;
    await clearing;
    expect(order).toEqual(["imported", "cleared"]);
    const [kick] = tracks;
    expect(await readFile(join(folder ?? "", kick?.file ?? ""))).not.toHaveLength(0);
    expect(importer.state.keptFiles).toMatchObject({ clearableBytes: 0 });
    expect(importer.state.keptFiles.bytes).toBeGreaterThan(0);
  });

  test("[F6] clearing deletes what a failed import left", async () => {
    const { importer } = await setUp({ faults: { failScene: true } });
    await importer.import("pkg_1");
    await importer.clearKeptFiles();
    expect(importer.state.keptFiles).toEqual({ bytes: 0, clearableBytes: 0 });
  });
});
