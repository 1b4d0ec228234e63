import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Host } from "../../addon/hosts/host.ts";
import { openImporter, startImporter } from "../../addon/control/open-importer.ts";
import { gatedHost } from "./paused-host.ts";
import {
  importerAtWork,
  importerOptions,
  type WorkOptions,
  writeLocalPackage,
} from "./importer-at-work.ts";
import { startStandIn } from "./relay/linked-client.ts";

/** A host that records the names of the requested scenes. */
function cacheHost() {
  const scenes: string[] = [];
  const host: Host = {
    name: "shelf",
    can: { resumes: false },
    place: async ({ layout }) => {
      scenes.push(layout.scene.name);
      return layout.tracks.map(({ soundId }) => ({ soundId, holds: {}, notes: [] }));
    },
  };
  let made = 0;
  const make = async () => {
    made += 1;
    return host;
  };
  return { scenes, others: new Map([["shelf", make]]), timesMade: () => made };
}

async function setUp(work: WorkOptions = {}) {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
  const shelf = cacheHost();
  const more = { otherHosts: shelf.others, ...work.more };
  return { relay, shelf, ...(await importerAtWork(relay.url, { ...work, more })) };
}

describe("an import that names another host", () => {
  test("[R7] goes only there; the state names the host, and the relay gets the report", async () => {
    const { importer, relay, shelf, session } = await setUp();
    const outcome = await importer.import("pkg_1_____________________", { host: "shelf" });
    expect(outcome.status).toBe("imported");
    expect(shelf.scenes).toEqual(["Kit 1 (Looper)"]);
    expect((await session()).tracks).toEqual([]);
    expect(importer.state.finished).toMatchObject([
      { packageId: "pkg_1_____________________", otherHost: "shelf" },
    ]);
    expect(relay.reports.get("pkg_1_____________________")).toMatchObject({
      1: { status: "imported" },
    });
  });

  test("[R7] can also name the importer's own; other hosts are created once, on first use", async () => {
    const { importer, shelf } = await setUp();
    await importer.import("pkg_1_____________________", { host: "preview" });
    expect(importer.state.finished[0]).not.toHaveProperty("otherHost");
    expect(shelf.timesMade()).toBe(0);
    await importer.import("pkg_1_____________________", { host: "shelf" });
    await importer.import("pkg_1_____________________", { host: "shelf" });
    expect(shelf.timesMade()).toBe(1);
  });

  test("[R7] is refused with a sentence if the importer lacks that host, and takes no lease", async () => {
    const { importer, relay } = await setUp();
    const sentence = /can import into preview, shelf, but not into dawproject\. Stop it first/;
    await expect(
      importer.import("pkg_1_____________________", { host: "dawproject" }),
    ).rejects.toThrow(sentence);
    await expect(importer.importAll({ host: "dawproject" })).rejects.toThrow(sentence);
    await expect(
      importer.beginRun("pkg_1_____________________", { host: "dawproject" }),
    ).rejects.toThrow(sentence);
    expect(relay.callsTo("POST", "/importer/packages/pkg_1_____________________/take")).toEqual([]);
    expect(importer.state.finished).toEqual([]);
  });

  test("[R7] retries a host that couldn't be created", async () => {
    const { scenes, others } = cacheHost();
    let isBroken = true;
    const make = async () => {
      if (isBroken) throw new Error("The shelf is locked.");
      return others.get("shelf")?.() ?? expect.unreachable();
    };
    const { importer } = await setUp({ more: { otherHosts: new Map([["shelf", make]]) } });
    const asked = importer.import("pkg_1_____________________", { host: "shelf" });
    await expect(asked).rejects.toThrow("The shelf is locked.");
    isBroken = false;
    await importer.import("pkg_1_____________________", { host: "shelf" });
    expect(scenes).toHaveLength(1);
  });

  test("[R7] is still recorded after a restart", async () => {
    const { importer, folder, relay } = await setUp();
    await importer.import("pkg_1_____________________", { host: "shelf" });
    await importer.close();
    const later = await importerAtWork(relay.url, { folder });
    expect(later.importer.state.finished).toMatchObject([{ otherHost: "shelf" }]);
  });
});

describe("imports are recorded per host", () => {
  test("[R7] an interrupted run blocks only its own host", async () => {
    const gate = gatedHost();
    const own: Host = { ...gate.host, can: { resumes: false } };
    const { importer, folder, relay, shelf, settings } = await setUp({ more: { host: own } });
    const journal = join(settings.dataFolder, "runs", "pkg_1_____________________.jsonl");
    const stopped = importer.import("pkg_1_____________________");
    await gate.reached;
    const half = await readFile(journal, "utf8");
    importer.cancelRun("pkg_1_____________________");
    await expect(stopped).rejects.toThrow("The import was cancelled.");
    await importer.close();
    await writeFile(journal, `${half}{"kind":"step","step":1,"label":"make the scene"}\n`);

    const more = { host: own, otherHosts: shelf.others };
    const later = (await importerAtWork(relay.url, { folder, more })).importer;
    const inTheWay = { code: "ALREADY_PLACED" };
    await expect(later.import("pkg_1_____________________")).rejects.toMatchObject(inTheWay);
    expect(await later.import("pkg_1_____________________", { host: "shelf" })).toMatchObject({
      status: "imported",
    });
    await expect(later.import("pkg_1_____________________")).rejects.toMatchObject(inTheWay);
  });

  test("[R7][K2] imports everything that is new to a host once, whatever another host holds", async () => {
    const { importer, inboxFolder, shelf } = await setUp();
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    await writeLocalPackage(join(inboxFolder, "two"), "Two", ["Kick"]);
    const all = await importer.importAll({ host: "shelf" });
    expect(all.packages.map(({ scene }) => scene.name)).toEqual(shelf.scenes);
    expect(shelf.scenes).toHaveLength(3);
    expect((await importer.packages()).local).toMatchObject([
      { imported: false },
      { imported: false },
    ]);
    expect((await importer.importAll({ host: "shelf" })).packages).toEqual([]);

    expect((await importer.importAll()).packages).toHaveLength(2);
    expect((await importer.packages()).local).toMatchObject([
      { imported: true },
      { imported: true },
    ]);
    await writeLocalPackage(join(inboxFolder, "three"), "Three", ["Kick"]);
    expect((await importer.importAll({ host: "shelf" })).packages).toHaveLength(1);
  });
});

describe("from another process", () => {
  async function running(hosts: Pick<ReturnType<typeof cacheHost>, "others">) {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const more = { otherHosts: hosts.others };
    const { folder, ...options } = await importerOptions(relay.url, { more });
    const started = await startImporter(options);
    onTestFinished(() => started.close());
    const opened = await openImporter(await importerOptions(relay.url, { folder }));
    onTestFinished(() => opened[Symbol.asyncDispose]());
    return { opened, inboxFolder: options.settings.inboxFolder };
  }

  test("[R3][R7] the running importer places into the named host", async () => {
    const shelf = cacheHost();
    const { opened, inboxFolder } = await running(shelf);
    await opened.importer.import("pkg_1_____________________", { host: "shelf" });
    expect(shelf.scenes).toEqual(["Kit 1 (Looper)"]);
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    expect(await opened.importer.importAll({ host: "shelf" })).toMatchObject({
      packages: [{ scene: { name: "One (Looper)" } }],
      failures: [],
    });
    expect(shelf.scenes).toEqual(["Kit 1 (Looper)", "One (Looper)"]);
    expect(await opened.importer.importAll()).toMatchObject({ packages: [{ status: "imported" }] });
    expect(shelf.scenes).toHaveLength(2);
  });

  test("[R3][R7] one without that host says so", async () => {
    const { opened } = await running({ others: new Map() });
    const asked = opened.importer.import("pkg_1_____________________", { host: "shelf" });
    await expect(asked).rejects.toThrow(/can import into preview, but not into shelf/);
    await expect(opened.importer.importAll({ host: "shelf" })).rejects.toThrow(/not into shelf/);
  });
});
