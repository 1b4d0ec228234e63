import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importerAtWork, writeLocalPackage } from "./importer-at-work.ts";
import { connected, started } from "./named-relays.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import { gatedHost } from "./paused-host.ts";
import { until } from "../sim/until.ts";

/** An address at which nobody listens. */
const NOWHERE = "http://127.0.0.1:1";

describe("one package", () => {
  test("[R1][S3] from the relay: sounds in its folder, tracks in the host, and a report at the relay", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick", "Snare"] });
    const { importer, session } = await importerAtWork(relay.url);
    const phases: string[] = [];
    const outcome = await importer.import("pkg_1_____________________", {
      onProgress: ({ packageId, title, progress }) => {
        expect([packageId, title]).toEqual(["pkg_1_____________________", "Kit 1"]);
        expect(importer.state.runs).toMatchObject([{ packageId, title, progress }]);
        if (phases.at(-1) !== progress.phase) phases.push(progress.phase);
      },
    });
    expect(outcome).toMatchObject({ status: "imported", scene: { name: "Kit 1 (Looper)" } });
    expect(phases).toEqual(["taken", "fetching", "placing", "reported"]);
    for (const track of outcome.tracks) await access(join(outcome.folder ?? "", track.file ?? ""));
    expect((await session()).tracks).toHaveLength(2);
    expect(relay.reports.get("pkg_1_____________________")).toMatchObject({
      1: { status: "imported" },
    });
    expect(importer.state.runs).toEqual([]);
    expect(importer.state.finished).toMatchObject([
      { packageId: "pkg_1_____________________", result: { outcome } },
    ]);
  });

  test("[R5] from a folder, or from the inbox by its id, without any relay", async () => {
    const { importer, folder, inboxFolder } = await importerAtWork(NOWHERE);
    const elsewhere = await writeLocalPackage(join(folder, "elsewhere"), "Elsewhere", ["Kick"]);
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    expect(await importer.import(elsewhere)).toMatchObject({ status: "imported" });
    const found = await importer.packages();
    expect(found).toMatchObject({
      packages: [],
      local: [{ manifest: { title: "One" }, imported: false }],
      relay_error: expect.stringMatching(/Is the relay running/),
    });
    const [one] = found.local;
    const id = one !== undefined && "package_id" in one ? one.package_id : "";
    expect(await importer.import(id)).toMatchObject({ package_id: id, status: "imported" });
    expect((await importer.packages()).local).toMatchObject([{ imported: true }]);
  });

  test.each([
    ["pkg_none__________________", /The relay has no package pkg_none__________________/],
    [`local_${"0".repeat(32)}`, /The inbox has no package/],
    ["/no/such/folder", /There is no folder/],
  ])("a missing source fails with a sentence: %s", async (source, words) => {
    const relay = await startStandIn();
    const { importer } = await importerAtWork(relay.url);
    await expect(importer.import(source)).rejects.toThrow(words);
    expect(importer.state.finished).toEqual([]);
  });
});

describe("all packages", () => {
  test("[K5][R5] imports every waiting one, oldest first, then the inbox's, each once", async () => {
    const relay = await startStandIn({
      pkg_old___________________: ["Kick"],
      pkg_new___________________: ["Snare"],
    });
    relay.packages.push({
      ...offerPackage(relay, "pkg_done__________________", ["Hat"]),
      status: "imported",
    });
    relay.packages.shift();
    const { importer, inboxFolder, session } = await importerAtWork(relay.url);
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    await writeLocalPackage(join(inboxFolder, "broken"), "Broken", []);
    const { packages, failures } = await importer.importAll();
    const scenes = packages.map(({ scene }) => scene.name);
    expect(scenes).toEqual(["Kit old (Looper)", "Kit new (Looper)", "One (Looper)"]);
    expect(failures).toMatchObject([{ source: join(inboxFolder, "broken") }]);
    const again = await importer.importAll();
    expect(again.packages).toEqual([]);
    expect((await session()).scenes).toHaveLength(3);
  });

  test("[R2] one with a pending report is reported, not imported again", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const first = await importerAtWork(relay.url);
    relay.intercept = ({ path }) => (path.endsWith("/results") ? { status: 503 } : undefined);
    expect((await first.importer.importAll()).packages).toHaveLength(1);
    expect((await first.importer.importAll()).packages).toEqual([]);
    await first.importer.close();
    relay.intercept = () => undefined;
    expect(relay.reports.size).toBe(0);
    const second = await importerAtWork(relay.url, { folder: first.folder });
    expect((await second.importer.packages()).packages).toMatchObject([{ status: "imported" }]);
    expect(relay.reports.get("pkg_1_____________________")).toMatchObject({
      1: { status: "imported" },
    });
    expect((await second.importer.importAll()).packages).toEqual([]);
  });

  test("[R2] a running importer delivers pending reports at the next connect, and when the relay recovers", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    relay.intercept = ({ path }) => (path.endsWith("/results") ? { status: 503 } : undefined);
    const first = await importerAtWork(relay.url);
    await first.importer.importAll();
    await first.importer.close();
    const { importer, timers } = await started(relay.url, { folder: first.folder });
    await until(() => /have not reached the relay/.test(importer.state.connection.trouble ?? ""));
    relay.intercept = () => undefined;
    timers.advance(5000);
    await until(() => relay.reports.has("pkg_1_____________________"));
    await until(() => importer.state.packages[0]?.status === "imported");
  });

  test("two concurrent calls import each package once", async () => {
    const relay = await startStandIn({
      pkg_1_____________________: ["Kick"],
      pkg_2_____________________: ["Kick"],
      pkg_3_____________________: ["Kick"],
    });
    const { importer, session } = await importerAtWork(relay.url);
    await Promise.all([importer.importAll(), importer.importAll(), importer.importAll()]);
    expect((await session()).scenes).toHaveLength(3);
  });
});

describe("importing on arrival", () => {
  test("[R5] imports waiting and arriving packages once, from the relay and the inbox", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { importer, inboxFolder, session } = await started(relay.url, {
      more: { autoImport: true },
    });
    await until(() => importer.state.finished.length === 1);
    offerPackage(relay, "pkg_2_____________________", ["Snare"]);
    relay.notify({ type: "packages.changed" });
    await until(() => importer.state.finished.length === 2);
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    await until(() => importer.state.finished.length === 3);
    relay.notify({ type: "packages.changed" });
    await until(() => importer.state.local.some((one) => "imported" in one && one.imported));
    expect((await session()).scenes).toHaveLength(3);
  });

  test("an importer without auto-import imports nothing on arrival", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { importer } = await started(relay.url);
    await until(() => importer.state.packages.length === 1);
    expect([importer.state.runs, importer.state.finished]).toEqual([[], []]);
    expect(relay.callsTo("POST", "/importer/packages/pkg_1_____________________/take")).toEqual([]);
  });
});

describe("closing", () => {
  test("cancels active runs and leaves no timer and no socket", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const gate = gatedHost();
    const { importer, timers, settings } = await connected(relay.url, {
      more: { host: gate.host },
    });
    const importing = importer.import("pkg_1_____________________");
    await gate.reached;
    const settled = Promise.allSettled([importing]);
    await importer.close();
    expect((await settled)[0]?.status).toBe("rejected");
    await until(() => relay.openSockets.length === 0);
    expect(timers.remaining).toEqual([]);
    await expect(importer.apps()).rejects.toThrow("Soundferry is closing.");
    expect(await readdir(settings.dataFolder)).toContain("config.json");
  });
});
