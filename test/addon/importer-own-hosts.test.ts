import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AlreadyPlacedError } from "../../addon/hosts/already-placed.ts";
import type { Host, HostSetting } from "../../addon/hosts/host.ts";
import { Journals } from "../../addon/runs/journal.ts";
import { importerAtWork, writeLocalPackage } from "./importer-at-work.ts";
import { gatedHost } from "./paused-host.ts";
import { liveAndPreview, SwitchableHost } from "./switchable-host.ts";
import { until } from "../sim/until.ts";

const SHOUT: HostSetting = {
  id: "shout",
  variable: "SOUNDFERRY_SHOUT",
  kind: "switch",
  default: false,
  label: "Shout",
  help: "Shouts.",
};

describe("an importer with several own hosts", () => {
  test("[R9] imports into the first that is ready, and asks once for each run", async () => {
    const { importer, live, session } = await liveAndPreview();
    await importer.import("pkg_1_____________________");
    expect(live.timesAsked).toBe(1);
    expect(live.requests).toEqual([]);
    expect((await session()).tracks).toHaveLength(1);
    live.isOn = true;
    await importer.import("pkg_1_____________________");
    expect(live.timesAsked).toBe(2);
    expect(live.requests).toHaveLength(1);
    expect((await session()).tracks).toHaveLength(1);
    for (const run of importer.state.finished) expect(run).not.toHaveProperty("otherHost");
  });

  test.each<[string, Host["isReady"]]>([
    ["rejects", () => Promise.reject(new Error("Nobody is there."))],
    ["throws", () => expect.unreachable("Nobody is there.")],
  ])("[R9] doesn't use a host whose answer %s", async (_, isReady) => {
    const live = new SwitchableHost(true);
    live.isReady = isReady as SwitchableHost["isReady"];
    const { importer, session } = await liveAndPreview({ live });
    expect((await importer.import("pkg_1_____________________")).status).toBe("imported");
    expect((await session()).tracks).toHaveLength(1);
  });

  test("[R9] doesn't wait for a host that never answers", async () => {
    const live = new SwitchableHost(true);
    live.isReady = () => new Promise(() => undefined);
    const { importer, timers, session } = await liveAndPreview({ live });
    const running = importer.import("pkg_1_____________________");
    await until(() => timers.remaining.includes(1000));
    timers.advance(1000);
    expect((await running).status).toBe("imported");
    expect((await session()).tracks).toHaveLength(1);
  });

  test("[R9] asks them in order and no further than needed", async () => {
    const [first, second, third] = [false, true, true].map((isOn) => new SwitchableHost(isOn));
    const preferredHosts = [first, second, third].filter((host) => host !== undefined);
    const { importer } = await liveAndPreview({ work: { more: { preferredHosts } } });
    await importer.import("pkg_1_____________________");
    expect(preferredHosts.map(({ timesAsked }) => timesAsked)).toEqual([1, 1, 0]);
    expect(preferredHosts.map(({ requests }) => requests.length)).toEqual([0, 1, 0]);
  });

  test("[R9] keeps a run at its host when another becomes ready or its own stops answering", async () => {
    const gate = gatedHost();
    const { importer, live } = await liveAndPreview({ work: { more: { host: gate.host } } });
    const running = importer.import("pkg_1_____________________");
    await gate.reached;
    live.isOn = true;
    await importer.lookAtHost();
    expect(importer.state.host.name).toBe("live");
    const joined = importer.import("pkg_1_____________________");
    gate.open();
    expect(await joined).toBe(await running);
    expect(live.requests).toEqual([]);
    expect(importer.state.finished).toHaveLength(1);
  });

  test("[R9] keeps --all at one host", async () => {
    const live = new SwitchableHost(true);
    const { importer, inboxFolder, session } = await liveAndPreview({ live });
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    await writeLocalPackage(join(inboxFolder, "two"), "Two", ["Kick"]);
    const all = importer.importAll({ onProgress: () => (live.isOn = false) });
    expect((await all).packages).toHaveLength(3);
    expect(live.requests).toHaveLength(3);
    expect((await session()).tracks).toEqual([]);
  });

  test("[R9][R7] keeps records for each name: what is new, what was imported, what is unfinished", async () => {
    const { importer, live, inboxFolder } = await liveAndPreview();
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    await importer.start();
    await importer.importAll();
    expect(await importer.listNew()).toEqual([]);
    expect((await importer.packages()).local).toMatchObject([{ imported: true }]);
    live.isOn = true;
    expect((await importer.packages()).local).toMatchObject([{ imported: false }]);
    expect(await importer.listNew()).toHaveLength(1);
    expect((await importer.importAll()).packages).toMatchObject([{ status: "imported" }]);
    expect(await importer.listNew()).toEqual([]);
    live.isOn = false;
    expect(await importer.listNew()).toEqual([]);
  });

  test("[R9][R4] an unfinished run at the preview doesn't keep a package from Live", async () => {
    const { importer, live, folder, relay, settings } = await liveAndPreview();
    await importer.import("pkg_1_____________________");
    await importer.close();
    const journal = join(settings.dataFolder, "runs", "pkg_1_____________________.jsonl");
    const [begin = ""] = (await readFile(journal, "utf8")).split("\n");
    const stopped = { ...JSON.parse(begin), run_id: "stopped" };
    const step = { kind: "step", step: 1, label: "make the scene" };
    await appendFile(journal, `${JSON.stringify(stopped)}\n${JSON.stringify(step)}\n`);
    live.isOn = true;

    const later = await importerAtWork(relay.url, { folder, more: { preferredHosts: [live] } });
    expect(await later.importer.import("pkg_1_____________________")).toMatchObject({
      status: "imported",
      tracks: [{ error: null, differences: [] }],
    });
    expect(live.requests[0]?.journal.earlier).toEqual([]);
    const { unfinished } = await journalsAt(settings.dataFolder);
    expect([...unfinished.keys()]).toEqual(["preview"]);
  });

  test("[R9][K3] passes each host its own settings and shows the current one's", async () => {
    const live = Object.assign(new SwitchableHost(false), { settings: [SHOUT] });
    const { importer, settings } = await liveAndPreview({ live });
    await importer.lookAtHost();
    expect(importer.state.host.settings).toEqual([]);
    live.isOn = true;
    await importer.lookAtHost();
    expect(importer.state.host.settings).toMatchObject([{ id: "shout", value: false }]);
    expect(importer.setHostSetting("shout", true)).toBe(true);
    live.isOn = false;
    await importer.lookAtHost();
    expect(importer.state.host.settings).toEqual([]);
    const config = JSON.parse(await readFile(join(settings.dataFolder, "config.json"), "utf8"));
    expect(config.settings).toMatchObject({ SOUNDFERRY_SHOUT: "on" });
    live.isOn = true;
    await importer.import("pkg_1_____________________");
    expect(live.requests[0]?.settings).toEqual({ shout: true });
    expect(importer.state.host.settings).toMatchObject([{ value: true }]);
  });
});

describe("naming an own host", () => {
  test("[R9][R7] uses it although another is preferred, as the importer's own", async () => {
    const { importer, live, session } = await liveAndPreview({ isOn: true });
    await importer.import("pkg_1_____________________", { host: "preview" });
    expect(live.timesAsked).toBe(0);
    expect((await session()).tracks).toHaveLength(1);
    expect(importer.state.finished[0]).not.toHaveProperty("otherHost");
  });

  test("[R9] that doesn't answer is refused with its sentence, and takes no lease", async () => {
    const { importer, relay } = await liveAndPreview();
    const refused = { message: "Live doesn't answer. Open Live.", code: "HOST_NOT_READY" };
    await expect(
      importer.import("pkg_1_____________________", { host: "live" }),
    ).rejects.toMatchObject(refused);
    await expect(importer.importAll({ host: "live" })).rejects.toMatchObject(refused);
    await expect(
      importer.beginRun("pkg_1_____________________", { host: "live" }),
    ).rejects.toMatchObject(refused);
    expect(relay.callsTo("POST", "/importer/packages/pkg_1_____________________/take")).toEqual([]);
    expect(importer.state.finished).toEqual([]);
  });

  test("[R9] takes the first ready one of that name", async () => {
    const [first, second] = [new SwitchableHost(false), new SwitchableHost(true)];
    const { importer } = await liveAndPreview({
      work: { more: { preferredHosts: [first, second] } },
    });
    await importer.import("pkg_1_____________________", { host: "live" });
    expect(second.requests).toHaveLength(1);
  });

  test("[R9] is refused as another host, too, while it isn't ready", async () => {
    const live = new SwitchableHost(false);
    const otherHosts = new Map([["live", async () => live]]);
    const { importer } = await liveAndPreview({
      work: { more: { preferredHosts: [], otherHosts } },
    });
    await expect(importer.import("pkg_1_____________________", { host: "live" })).rejects.toThrow(
      "Open Live.",
    );
    live.isOn = true;
    await importer.import("pkg_1_____________________", { host: "live" });
    expect(importer.state.finished).toMatchObject([{ otherHost: "live" }]);
  });

  test("[R9][R7] while its package is imported into another own host is a run of its own", async () => {
    const gate = gatedHost();
    const { importer, live } = await liveAndPreview({
      isOn: true,
      work: { more: { host: gate.host } },
    });
    const first = importer.import("pkg_1_____________________", { host: "gated" });
    await gate.reached;
    const second = importer.import("pkg_1_____________________", { host: "live" });
    await until(() => importer.state.runs.length === 2);
    gate.open();
    expect(await second).not.toBe(await first);
    expect(live.requests).toHaveLength(1);
    expect(importer.state.runs).toEqual([]);
    expect(importer.state.finished).toMatchObject([
      { otherHost: "live" },
      { packageId: "pkg_1_____________________" },
    ]);
  });
});

test("[R4][R9] a host's own finding is the run's result, with the code that offers to import again", async () => {
  const live = new SwitchableHost(true);
  live.place = async (request) => {
    if (request.again === true) return [];
    throw new AlreadyPlacedError("Kit 1", [{ label: "the track Kick", state: "begun" }]);
  };
  const { importer, relay } = await liveAndPreview({ live });
  await expect(importer.import("pkg_1_____________________")).rejects.toThrow(
    "Maybe done: the track Kick.",
  );
  expect(importer.state.finished).toMatchObject([{ result: { code: "ALREADY_PLACED" } }]);
  expect(relay.reports.size).toBe(0);
  await importer.import("pkg_1_____________________", { again: true });
  expect(relay.reports.size).toBe(1);
});

async function journalsAt(dataFolder: string) {
  return new Journals(join(dataFolder, "runs"), () => 0).read("pkg_1_____________________");
}
