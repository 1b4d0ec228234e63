import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FolderHost } from "../../addon/hosts/folder/folder-host.ts";
import { HostGoneError, HostStepError, LeftBehindError } from "../../addon/hosts/host.ts";
import type { Importer } from "../../addon/importer.ts";
import { isOnlySaved, SAVED_AS_FILES } from "../../core/protocol/package-status.ts";
import { until } from "../sim/until.ts";
import { importerAtWork, type WorkOptions, writeLocalPackage } from "./importer-at-work.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { SwitchableHost } from "./switchable-host.ts";

const SENTENCE = "Live doesn't answer. Open Live.";

/** An importer that saves while its Live is switched off. */
async function liveAndFolder(
  options: { live?: SwitchableHost; more?: WorkOptions["more"]; sounds?: readonly string[] } = {},
) {
  const { live = new SwitchableHost(false), more, sounds = ["Kick", "Snare"] } = options;
  const relay = await startStandIn({ pkg_1_____________________: sounds });
  const work = { more: { preferredHosts: [live], host: new FolderHost(), ...more } };
  const at = await importerAtWork(relay.url, work);
  const files = async () => {
    const found = await readdir(at.settings.soundsFolder, { recursive: true }).catch(() => []);
    return found.filter((name) => name.endsWith(".wav")).toSorted();
  };
  return { relay, live, files, ...at };
}

const KIT = ["Kick.wav", "Snare.wav"].map((name) => join("Kit 1", name));

async function firstLocal(importer: Importer) {
  const [local] = (await importer.packages()).local;
  if (local === undefined || "error" in local) throw new Error("The inbox is empty.");
  return local;
}

describe("while Live doesn't answer", () => {
  test("[R16][R9] an import saves; the state names the folder, and why it isn't Live", async () => {
    const { importer, live, relay, files } = await liveAndFolder();
    expect(importer.state.host.instead).toBeNull();
    const outcome = await importer.import("pkg_1_____________________");
    expect(outcome.status).toBe("imported");
    expect(await files()).toEqual(KIT);
    expect(isOnlySaved(relay.reports.get("pkg_1_____________________"))).toBe(true);
    expect(importer.state.finished[0]).not.toHaveProperty("otherHost");
    const shown = { name: "folder", label: "Sounds folder", trouble: null, instead: SENTENCE };
    expect(importer.state.host).toMatchObject(shown);
    live.isOn = true;
    await importer.lookAtHost();
    expect(importer.state.host).toMatchObject({ name: "live", trouble: null, instead: null });
    expect(live.requests).toEqual([]);
    await importer.import("pkg_1_____________________");
    expect(live.requests).toHaveLength(1);
    expect(isOnlySaved(relay.reports.get("pkg_1_____________________"))).toBe(false);
  });

  test("[R16][R9] an import that names Live is refused, and takes and fetches nothing", async () => {
    const { importer, relay, files } = await liveAndFolder();
    await expect(importer.import("pkg_1_____________________", { host: "live" })).rejects.toThrow(
      SENTENCE,
    );
    await expect(importer.importAll({ host: "live" })).rejects.toThrow(SENTENCE);
    expect(relay.callsTo("POST", "/importer/packages/pkg_1_____________________/take")).toEqual([]);
    expect(await files()).toEqual([]);
  });

  test("[R16][R9] another reason is shown in place of the first", async () => {
    const live = new SwitchableHost(false);
    const { importer } = await liveAndFolder({ live });
    await importer.lookAtHost();
    const tooOld = "This is Live 12.0.1. Soundferry places sounds in Live 12.0.5 or later.";
    Object.assign(live, { whenNotReady: tooOld });
    await importer.lookAtHost();
    expect(importer.state.host).toMatchObject({ name: "folder", instead: tooOld });
    const { state } = importer;
    await importer.lookAtHost();
    expect(importer.state).toBe(state);
  });

  test("[R16] import on arrival saves each package once, and Live gets none of them unasked", async () => {
    const live = new SwitchableHost(false);
    const { importer, inboxFolder, timers, files } = await liveAndFolder({
      live,
      more: { autoImport: true },
    });
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Hat"]);
    await importer.start();
    await until(() => importer.state.finished.length === 2);
    expect(await files()).toHaveLength(3);
    live.isOn = true;
    timers.advance(2000);
    await until(() => importer.state.host.name === "live");
    await writeLocalPackage(join(inboxFolder, "two"), "Two", ["Tom"]);
    await until(() => live.requests.length > 0);
    await until(() => importer.state.finished.length === 3);
    expect(live.requests.map(({ layout }) => layout.scene.name)).toEqual(["Two (Looper)"]);
  });
});

describe("what is new", () => {
  test("[R16][R7] never includes what was saved: it is placed only by name", async () => {
    const { importer, live, inboxFolder } = await liveAndFolder();
    const folder = await writeLocalPackage(join(inboxFolder, "one"), "One", ["Hat"]);
    expect((await importer.importAll()).packages).toHaveLength(2);
    live.isOn = true;
    expect(await importer.listNew()).toEqual([]);
    expect((await importer.importAll()).packages).toEqual([]);
    expect(await importer.all.begin()).toMatchObject({ packages: 0 });
    const local = await firstLocal(importer);
    expect(local.imported).toBe(true);
    expect(isOnlySaved(local.results)).toBe(true);
    await importer.import(folder);
    expect(live.requests).toHaveLength(1);
    expect(isOnlySaved((await firstLocal(importer)).results)).toBe(false);
  });

  test("[R16][R7] is nothing that Live has when Live closes: it isn't saved once more", async () => {
    const { importer, live, inboxFolder } = await liveAndFolder();
    live.isOn = true;
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Hat"]);
    await importer.importAll();
    live.isOn = false;
    await importer.lookAtHost();
    expect(await importer.listNew()).toEqual([]);
    const local = await firstLocal(importer);
    expect(local.imported).toBe(true);
    expect(isOnlySaved(local.results)).toBe(false);
  });
});

describe("Live that stops answering during an import", () => {
  test("[R16] before it has placed anything: the package is saved in the same run", async () => {
    const live = new SwitchableHost(true);
    live.place = async () => Promise.reject(new HostGoneError(SENTENCE));
    const { importer, relay, files } = await liveAndFolder({ live });
    expect((await importer.import("pkg_1_____________________")).status).toBe("imported");
    expect(await files()).toEqual(KIT);
    expect(isOnlySaved(relay.reports.get("pkg_1_____________________"))).toBe(true);
    expect(importer.state.finished).toHaveLength(1);
  });

  test.each([{ host: "live" }, { reuseTracks: true }])(
    "[R16][R9] fails with its sentence where only Live will do, and the files stay: %j",
    async (options) => {
      const live = Object.assign(new SwitchableHost(true), {
        can: { resumes: true, reusesTracks: true },
        place: async () => Promise.reject(new HostGoneError(SENTENCE)),
      });
      const { importer, relay, files } = await liveAndFolder({ live });
      await expect(importer.import("pkg_1_____________________", options)).rejects.toThrow(
        SENTENCE,
      );
      expect(await files()).toEqual(KIT);
      expect(relay.reports.size).toBe(0);
    },
  );

  test("[R16] an importer without the folder as a host of its own fails as before", async () => {
    const live = new SwitchableHost(true);
    live.place = async () => Promise.reject(new HostGoneError(SENTENCE));
    const { importer } = await liveAndFolder({ more: { preferredHosts: [], host: live } });
    await expect(importer.import("pkg_1_____________________")).rejects.toThrow(SENTENCE);
  });
});

test.each([
  ["refuses the scene", () => new HostStepError("Live couldn't make the scene.")],
  ["stops in the middle", () => new LeftBehindError("Live stopped answering.")],
  ["is gone", () => new HostGoneError(SENTENCE)],
  ["fails unforeseen", () => new Error("No.")],
])(
  "[R16] whatever Live does, the files are on the disk, and a report names them: it %s",
  async (_, errorOf) => {
    const live = new SwitchableHost(true);
    live.place = async () => Promise.reject(errorOf());
    const { importer, relay, files } = await liveAndFolder({ live });
    for (let times = 0; times < 3; times += 1) {
      await importer.import("pkg_1_____________________").catch(() => undefined);
      expect(await files()).toEqual(KIT);
    }
    live.isOn = false;
    await importer.import("pkg_1_____________________");
    expect(await files()).toEqual(KIT);
    for (const { file, notes } of Object.values(
      relay.reports.get("pkg_1_____________________") ?? {},
    )) {
      expect(KIT).toContain(join("Kit 1", file ?? ""));
      expect(notes).toContain(SAVED_AS_FILES);
    }
  },
);
