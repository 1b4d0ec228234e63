import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { panelStateOf } from "../../addon/control/panel-state.ts";
import type { Importer } from "../../addon/importer.ts";
import { COLOR_ROTATION, colorOfTurn, formatColor } from "../../core/layout/palette.ts";
import { importerAtWork, writeLocalPackage } from "./importer-at-work.ts";
import { started } from "./named-relays.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import { until } from "../sim/until.ts";

/** The color of a turn, as the panel has it. */
const colorOf = (turn: number) => formatColor(colorOfTurn(turn));

/** Returns the colors that the panel shows, by package id, or by title in the inbox. */
function shownColors({ state }: Importer): Readonly<Record<string, string | null>> {
  const { packages } = panelStateOf(state, 0);
  return Object.fromEntries(
    packages.flatMap((one) =>
      "error" in one
        ? []
        : [[one.origin === "relay" ? one.packageId : one.title, one.color] as const],
    ),
  );
}

const count = ({ state }: Importer) => state.packages.length + state.local.length;

describe("the color turn of a package", () => {
  test("[T4] is given on arrival, in the order of commit, and no import changes another's", async () => {
    const relay = await startStandIn({
      pkg_1_____________________: ["Kick"],
      pkg_2_____________________: ["Kick"],
      pkg_3_____________________: ["Kick"],
    });
    const { importer, session } = await started(relay.url);
    await until(() => count(importer) === 3);
    const promised = {
      pkg_1_____________________: colorOf(0),
      pkg_2_____________________: colorOf(1),
      pkg_3_____________________: colorOf(2),
    };
    expect(shownColors(importer)).toEqual(promised);
    await importer.import("pkg_3_____________________");
    expect(shownColors(importer)).toEqual(promised);
    await importer.import("pkg_1_____________________");
    expect(shownColors(importer)).toEqual(promised);
    const placed = (await session()).tracks.flatMap((track) => Object.values(track.clip_slots));
    expect(placed.map(({ color_index }) => color_index)).toEqual([
      COLOR_ROTATION[2],
      COLOR_ROTATION[0],
    ]);
  });

  test("[T4] survives a restart, and packages that are gone before others arrive", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const kept = offerPackage(relay, "pkg_2_____________________", ["Kick"]);
    const first = await started(relay.url);
    await until(() => count(first.importer) === 2);
    await first.importer.close();
    relay.packages.splice(0, Infinity, kept);
    offerPackage(relay, "pkg_3_____________________", ["Kick"]);
    const { importer } = await started(relay.url, { folder: first.folder });
    await until(() => count(importer) === 2);
    expect(shownColors(importer)).toEqual({
      pkg_2_____________________: colorOf(1),
      pkg_3_____________________: colorOf(2),
    });
  });

  test("[T4] is kept while the package is dismissed, and after it", async () => {
    const relay = await startStandIn({
      pkg_1_____________________: ["Kick"],
      pkg_2_____________________: ["Kick"],
    });
    const { importer } = await started(relay.url);
    await until(() => count(importer) === 2);
    const promised = shownColors(importer);
    await importer.dismiss("pkg_1_____________________");
    offerPackage(relay, "pkg_3_____________________", ["Kick"]);
    relay.notify({ type: "packages.changed" });
    await until(() => count(importer) === 3);
    expect(shownColors(importer)).toEqual({ ...promised, pkg_3_____________________: colorOf(2) });
    await importer.undoDismiss("pkg_1_____________________");
    expect(shownColors(importer)).toEqual({ ...promised, pkg_3_____________________: colorOf(2) });
  });

  test("[T4][R5] of inbox packages is given in the order found, also to those that lose a color", async () => {
    const relay = await startStandIn();
    const { importer, inboxFolder } = await importerAtWork(relay.url);
    await writeLocalPackage(join(inboxFolder, "b"), "B", ["Kick"]);
    await importer.packages();
    const folder = await writeLocalPackage(join(inboxFolder, "a"), "A", ["Kick"]);
    const manifest = {
      schema: "app2host/1",
      title: "A",
      source: { app: "Looper" },
      items: [{ file: "Kick.wav", name: "Kick", kind: "oneshot", color: "#ff0000" }],
    };
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    await importer.packages();
    expect(shownColors(importer)).toEqual({ A: null, B: colorOf(0) });
    await writeLocalPackage(join(inboxFolder, "c"), "C", ["Kick"]);
    await importer.packages();
    await writeLocalPackage(join(inboxFolder, "a"), "A", ["Kick"]);
    await importer.packages();
    expect(shownColors(importer)).toEqual({ A: colorOf(2), B: colorOf(0), C: colorOf(1) });
  });

  test("[T4] that can't be stored counts until the importer ends, and says why", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { importer, settings, inboxFolder } = await importerAtWork(relay.url);
    // A folder in its place, which no file can replace.
    const path = join(settings.dataFolder, "color-turns.json.new");
    await mkdir(path, { recursive: true });
    await importer.packages();
    expect(shownColors(importer)).toEqual({ pkg_1_____________________: colorOf(0) });
    expect(importer.state.diskTrouble).toMatch(/color-turns/);
    await rm(path, { recursive: true });
    await writeLocalPackage(join(inboxFolder, "b"), "B", ["Kick"]);
    await importer.packages();
    expect(importer.state.diskTrouble).toBeNull();
    const next = await importerAtWork(relay.url, { settings });
    await next.importer.packages();
    expect(shownColors(next.importer)).toEqual({
      pkg_1_____________________: colorOf(0),
      B: colorOf(1),
    });
  });
});
