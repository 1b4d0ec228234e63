import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import { gatedHost } from "./paused-host.ts";
import { importerAtWork, writeLocalPackage } from "./importer-at-work.ts";
import { connected } from "./named-relays.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import type { StandInRelay } from "./relay/stand-in-relay.ts";
import { until } from "../sim/until.ts";

const DISMISSED = { status: "skipped", error: "Dismissed in Live." };

function reportsTo(relay: StandInRelay, packageId: string): readonly SoundResults[] {
  const path = `/importer/packages/${packageId}/results`;
  return relay.callsTo("POST", path).map(({ body }) => body["results"] as SoundResults);
}

describe("dismissing a package", () => {
  test("[R12] that was never reported tells its app, and it is new no longer, after a restart too", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick", "Snare"] });
    const { importer, folder } = await connected(relay.url);
    expect(await importer.dismiss("pkg_1_____________________")).toEqual({
      package_id: "pkg_1_____________________",
      title: "Kit 1",
      dismissed: true,
      report: "sent",
    });
    expect(reportsTo(relay, "pkg_1_____________________")).toEqual([
      { 1: DISMISSED, 2: DISMISSED },
    ]);
    expect(relay.packages).toMatchObject([{ status: "failed" }]);
    expect(await importer.packages()).toMatchObject({ dismissed: ["pkg_1_____________________"] });
    await importer.close();

    const { importer: next, session } = await connected(relay.url, { folder });
    await until(() => next.state.packages.length === 1);
    expect([...next.state.dismissed]).toEqual(["pkg_1_____________________"]);
    expect(await next.listNew()).toEqual([]);
    expect(await next.importAll()).toEqual({ packages: [], failures: [] });
    expect((await session()).tracks).toEqual([]);
    expect(await next.dismiss("pkg_1_____________________")).toMatchObject({
      dismissed: true,
      report: null,
    });
    expect(reportsTo(relay, "pkg_1_____________________")).toHaveLength(1);
  });

  test("[R12] while offline leaves the report in the outbox, and an undo withdraws it", async () => {
    const relay = await startStandIn({
      pkg_1_____________________: ["Kick"],
      pkg_2_____________________: ["Kick"],
    });
    const { importer, timers } = await connected(relay.url);
    await until(() => importer.state.packages.length === 2);
    await relay.stop();
    await until(() => importer.state.connection.status === "offline");
    expect(await importer.dismiss("pkg_1_____________________")).toMatchObject({ report: "waits" });
    expect(await importer.dismiss("pkg_2_____________________")).toMatchObject({ report: "waits" });
    expect(await importer.undoDismiss("pkg_2_____________________")).toMatchObject({
      dismissed: false,
      report: null,
    });
    await relay.restart();
    await until(() => {
      // An attempt from before the restart may still fail.
      timers.advance(1000);
      return relay.reports.size > 0;
    });
    await until(() => importer.state.packages.some(({ status }) => status === "failed"));
    expect([...relay.reports.keys()]).toEqual(["pkg_1_____________________"]);
    expect(await importer.listNew()).toEqual(["pkg_2_____________________"]);
  });

  test("[R12] can be undone when its app has the report, and an import replaces that", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { importer } = await connected(relay.url);
    await importer.dismiss("pkg_1_____________________");
    await importer.undoDismiss("pkg_1_____________________");
    await importer.undoDismiss("pkg_1_____________________");
    await until(() => importer.state.packages[0]?.status === "failed");
    expect(importer.state.dismissed.size).toBe(0);
    expect(await importer.listNew()).toEqual(["pkg_1_____________________"]);
    expect(await importer.importAll()).toMatchObject({ packages: [{ status: "imported" }] });
    expect(relay.packages).toMatchObject([
      { status: "imported", results: { 1: { track: "Kick (Looper)" } } },
    ]);
  });

  test("[R12] is over when the package is imported, at once or with some of its sounds", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick", "Snare"] });
    const { importer } = await connected(relay.url);
    await importer.dismiss("pkg_1_____________________");
    await expect(importer.import("pkg_1_____________________", { only: ["Hat"] })).rejects.toThrow(
      "has no sound Hat",
    );
    expect(importer.state.dismissed.size).toBe(1);
    expect(await importer.import("pkg_1_____________________", { only: ["Kick"] })).toMatchObject({
      status: "partial",
    });
    expect(importer.state.dismissed.size).toBe(0);
    expect(reportsTo(relay, "pkg_1_____________________").at(-1)).toMatchObject({
      1: { status: "imported" },
      2: { status: "skipped", error: "Not selected in Live." },
    });
    // It is in the host now: only hidden.
    const reports = reportsTo(relay, "pkg_1_____________________").length;
    expect(await importer.dismiss("pkg_1_____________________")).toMatchObject({ report: null });
    expect(reportsTo(relay, "pkg_1_____________________")).toHaveLength(reports);
    expect(relay.packages).toMatchObject([{ status: "partial" }]);
  });

  test("[R12] that was imported while the relay was away keeps that report", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { importer } = await connected(relay.url);
    relay.intercept = ({ path }) => (path.endsWith("/results") ? { status: 503 } : undefined);
    await importer.import("pkg_1_____________________");
    expect(await importer.dismiss("pkg_1_____________________")).toMatchObject({ report: null });
    relay.intercept = () => undefined;
    await importer.packages();
    expect(relay.reports.get("pkg_1_____________________")).toMatchObject({
      1: { status: "imported" },
    });
  });

  test("[R12] is refused while it is imported here, or another run holds it", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const gate = gatedHost();
    const { importer } = await connected(relay.url, { more: { host: gate.host } });
    const importing = importer.import("pkg_1_____________________");
    await gate.reached;
    const refusal = { code: "IMPORT_RUNS", message: "Kit 1 is being imported. Cancel that first." };
    await expect(importer.dismiss("pkg_1_____________________")).rejects.toMatchObject(refusal);
    gate.open();
    await importing;
    expect(importer.state.dismissed.size).toBe(0);

    relay.packages.splice(0);
    const offered = offerPackage(relay, "pkg_2_____________________", ["Kick"]);
    relay.packages.splice(0, 1, { ...offered, taken: true });
    await importer.packages();
    await expect(importer.dismiss("pkg_2_____________________")).rejects.toMatchObject({
      code: "IMPORT_RUNS",
    });
    // The list was old: the lease has ended meanwhile.
    relay.packages.splice(0, 1, offered);
    expect(await importer.dismiss("pkg_2_____________________")).toMatchObject({ report: "sent" });
  });

  test("[R12] from the inbox only hides it, by its folder or id, and its folder stays as it is", async () => {
    const relay = await startStandIn();
    const { importer, inboxFolder, folder } = await connected(relay.url);
    const inside = await writeLocalPackage(join(inboxFolder, "One"), "One", ["Kick"]);
    const elsewhere = await writeLocalPackage(join(folder, "Two"), "Two", ["Kick"]);
    const { package_id: id, report } = await importer.dismiss(inside);
    expect(report).toBeNull();
    expect(await importer.listNew()).toEqual([]);
    await access(join(inside, "manifest.json"));
    await importer.undoDismiss(id);
    await until(() => importer.state.local.length === 1);
    expect(await importer.listNew()).toEqual([id]);
    await expect(importer.dismiss(elsewhere)).rejects.toThrow("The inbox has no package");
    await expect(importer.dismiss("pkg_none__________________")).rejects.toThrow(
      "The relay has no package pkg_none__________________",
    );
    await expect(importer.undoDismiss("pkg_none__________________")).rejects.toThrow(
      "The relay has no package",
    );
  });

  test("[R12] survives a damaged file, which counts as empty", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { settings } = await importerAtWork(relay.url);
    await mkdir(settings.dataFolder, { recursive: true });
    for (const text of [
      "{",
      "[]",
      '{"dismissed":7}',
      '{"dismissed":[1,"pkg_1_____________________"]}',
    ]) {
      await writeFile(join(settings.dataFolder, "dismissals.json"), text);
      const { importer } = await importerAtWork(relay.url, { settings });
      const isNamed = text.includes("pkg_1_____________________");
      expect([...importer.state.dismissed]).toEqual(isNamed ? ["pkg_1_____________________"] : []);
      await importer.close();
    }
  });
});

test("[R12] import on arrival leaves a dismissed package alone until that is undone", async () => {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
  const first = await connected(relay.url);
  await first.importer.dismiss("pkg_1_____________________");
  await first.importer.close();
  const more = { autoImport: true };
  const { importer } = await connected(relay.url, { folder: first.folder, more });
  offerPackage(relay, "pkg_2_____________________", ["Kick"]);
  relay.notify({ type: "packages.changed" });
  await until(() => importer.state.finished.length === 1);
  expect(importer.state.finished).toMatchObject([{ packageId: "pkg_2_____________________" }]);
  await importer.undoDismiss("pkg_1_____________________");
  await until(() => importer.state.finished.length === 2);
  expect(importer.state.finished).toMatchObject([
    { packageId: "pkg_1_____________________" },
    { packageId: "pkg_2_____________________" },
  ]);
});
