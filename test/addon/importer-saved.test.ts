import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { panelStateOf } from "../../addon/control/panel-state.ts";
import { isOnlySaved } from "../../core/protocol/package-status.ts";
import { FolderHost } from "../../addon/hosts/folder/folder-host.ts";
import { until } from "../sim/until.ts";
import { importerAtWork, writeLocalPackage, type WorkOptions } from "./importer-at-work.ts";
import { connected } from "./named-relays.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Hosts by name: the preview is the importer's own. */
const WITH_FOLDER: WorkOptions = {
  more: { otherHosts: new Map([["folder", async () => new FolderHost()]]) },
};
const SAVED = { host: "folder" } as const;

/** An importer that saved `pkg_1_____________________`, which its relay has deleted since. */
async function savedYesterday(names: readonly string[] = ["Kick", "Snare", "Hat"]) {
  const relay = await startStandIn({ pkg_1_____________________: names });
  const work = await importerAtWork(relay.url, WITH_FOLDER);
  await work.importer.import("pkg_1_____________________", SAVED);
  relay.packages.splice(0);
  relay.expired.add("pkg_1_____________________");
  await work.importer.packages();
  const kit = join(work.settings.soundsFolder, "Kit 1");
  return { relay, ...work, kit };
}

async function connectedAfterSaving() {
  const { relay, importer, folder, kit } = await savedYesterday();
  await importer.close();
  return { ...(await connected(relay.url, { ...WITH_FOLDER, folder })), kit };
}

describe("a package that the relay has no more", () => {
  test("[F10][R10] is imported from the sounds folder, only what the host lacks, without take, and reported", async () => {
    const { relay, importer, session } = await savedYesterday();
    const takes = relay.callsTo(
      "POST",
      "/importer/packages/pkg_1_____________________/take",
    ).length;
    await importer.import("pkg_1_____________________", { only: ["Kick"] });
    const { tracks, status } = await importer.import("pkg_1_____________________");
    expect(status).toBe("imported");
    expect(tracks.map(({ earlier }) => earlier)).toEqual([true, undefined, undefined]);
    expect((await session()).tracks.map(({ name }) => name)).toEqual([
      "Kick (Looper)",
      "Snare (Looper)",
      "Hat (Looper)",
    ]);
    expect(
      relay.callsTo("POST", "/importer/packages/pkg_1_____________________/take"),
    ).toHaveLength(takes);
    const reported = relay.reports.get("pkg_1_____________________");
    expect(reported?.["1"]).toMatchObject({ status: "imported", path: "Kit 1/Kick.wav" });
    expect(isOnlySaved(reported)).toBe(false);
  });

  test("[F10][R2] is imported while the relay doesn't answer, also after a restart; the report follows", async () => {
    const { relay, importer, folder } = await savedYesterday();
    await importer.close();
    await relay.stop();
    const later = await importerAtWork(relay.url, { ...WITH_FOLDER, folder });
    expect(await later.importer.import("pkg_1_____________________")).toMatchObject({
      status: "imported",
    });
    expect(isOnlySaved(relay.reports.get("pkg_1_____________________"))).toBe(true);
    await relay.restart();
    await later.importer.packages();
    expect(isOnlySaved(relay.reports.get("pkg_1_____________________"))).toBe(false);
  });

  test("[F10] is found under the name that its user gave the folder, and by the folder's path", async () => {
    const { importer, kit, settings } = await savedYesterday();
    const renamed = join(settings.soundsFolder, "Drums of June");
    await rename(kit, renamed);
    const outcome = await importer.import(renamed);
    expect(outcome).toMatchObject({ package_id: "pkg_1_____________________", folder: renamed });
    const names = [".soundferry.json", "Hat.wav", "Kick.wav", "Kit 1.dawproject", "Snare.wav"];
    expect((await readdir(renamed)).toSorted()).toEqual([...names, "manifest.json"]);
    expect(await readdir(settings.soundsFolder)).toEqual([".soundferry-sounds", "Drums of June"]);
  });

  test("[F10] costs only the sound whose file is gone or damaged", async () => {
    const { importer, kit } = await savedYesterday();
    await rm(join(kit, "Kick.wav"));
    await writeFile(join(kit, "Snare.wav"), (await readFile(join(kit, "Hat.wav"))).subarray(0, -2));
    const { tracks } = await importer.import("pkg_1_____________________");
    expect(tracks.map(({ error }) => error)).toEqual([
      "Kick.wav is not in the package's folder.",
      "Snare.wav: the file is incomplete. Export it again.",
      null,
    ]);
  });

  test("[F10] without any of its files is as unknown as any other", async () => {
    const { importer, kit } = await savedYesterday();
    for (const name of ["Kick", "Snare", "Hat"]) await rm(join(kit, `${name}.wav`));
    await expect(importer.import("pkg_1_____________________")).rejects.toThrow(
      "The relay has no package pkg_1_____________________",
    );
    expect((await importer.packages()).saved).toBeUndefined();
  });

  test("[R12] can be dismissed and shown again, without a report", async () => {
    const { relay, importer } = await savedYesterday();
    const reported = relay.reports.get("pkg_1_____________________");
    expect(await importer.dismiss("pkg_1_____________________")).toMatchObject({
      dismissed: true,
      report: null,
    });
    expect((await importer.packages()).dismissed).toEqual(["pkg_1_____________________"]);
    expect(await importer.undoDismiss("pkg_1_____________________")).toMatchObject({
      dismissed: false,
    });
    expect(relay.reports.get("pkg_1_____________________")).toEqual(reported);
  });
});

describe("a package that is saved and at the relay", () => {
  test("[F10][S2] is taken at the relay while that answers, and listed once", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { importer } = await importerAtWork(relay.url, WITH_FOLDER);
    await importer.import("pkg_1_____________________", SAVED);
    await importer.import("pkg_1_____________________");
    expect(
      relay.callsTo("POST", "/importer/packages/pkg_1_____________________/take").length,
    ).toBeGreaterThan(1);
    const found = await importer.packages();
    expect(found.packages).toHaveLength(1);
    expect(found).not.toHaveProperty("saved");
    const { packages } = panelStateOf(importer.state, 0);
    expect(packages).toMatchObject([{ origin: "relay", isSaved: true }]);
  });

  test("[F10] is imported from the folder once a started importer has lost the relay", async () => {
    const relay = await startStandIn({
      pkg_1_____________________: ["Kick"],
      pkg_2_____________________: ["Snare"],
    });
    const { importer } = await connected(relay.url, WITH_FOLDER);
    await importer.import("pkg_1_____________________", SAVED);
    await relay.stop();
    await until(() => importer.state.connection.status === "offline");
    expect(await importer.import("pkg_1_____________________")).toMatchObject({
      status: "imported",
    });
    await expect(importer.import("pkg_2_____________________")).rejects.toThrow(/relay/i);
  });
});

describe("the list of saved packages", () => {
  test("[F10][N2] is in the state after a start and after each import, and says where a package comes from", async () => {
    const { relay, importer, folder, inboxFolder } = await savedYesterday();
    await importer.close();
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    const later = await connected(relay.url, { ...WITH_FOLDER, folder });
    await until(() => !later.importer.state.unread.has("local"));
    const shown = () => panelStateOf(later.importer.state, 0).packages;
    expect(shown()).toMatchObject([
      { title: "One", origin: "inbox", isSaved: false },
      {
        packageId: "pkg_1_____________________",
        origin: "saved",
        isSaved: true,
        appName: "Looper",
        status: "imported",
      },
    ]);
    const [one] = shown();
    await later.importer.import(one?.packageId ?? "");
    await until(() => shown().every((each) => "error" in each || each.isSaved));
    expect(shown()).toHaveLength(2);
  });

  test("[F10] has what a person puts there, once a panel opens, and nothing that was cleared", async () => {
    const { importer, settings, kit } = await connectedAfterSaving();
    await writeLocalPackage(join(settings.soundsFolder, "From Ada"), "From Ada", ["Kick"]);
    await cp(kit, join(settings.soundsFolder, "Copy"), { recursive: true });
    importer.readFoldersAgain();
    await until(() => importer.state.local.length === 1);
    expect(importer.state.saved).toMatchObject([{ package_id: "pkg_1_____________________" }]);
    await importer.clearKeptFiles();
    await until(() => importer.state.saved.length === 0);
    expect((await readdir(settings.soundsFolder)).toSorted()).toEqual([
      ".soundferry-sounds",
      "From Ada",
    ]);
  });

  test("[F10] names nothing that is new: only a person places what was saved", async () => {
    const { importer, session } = await savedYesterday();
    expect((await importer.packages()).saved).toMatchObject([
      { package_id: "pkg_1_____________________" },
    ]);
    expect(await importer.listNew()).toEqual([]);
    expect((await importer.importAll()).packages).toEqual([]);
    expect((await session()).tracks).toEqual([]);
  });

  test("[F10][R5] has copies: with its marker under its id, without one like an inbox's folder", async () => {
    const { kit } = await savedYesterday();
    const { importer, settings } = await importerAtWork(null, WITH_FOLDER);
    await mkdir(settings.soundsFolder);
    await cp(kit, join(settings.soundsFolder, "From Ada"), { recursive: true });
    await cp(kit, join(settings.soundsFolder, "Without"), { recursive: true });
    await rm(join(settings.soundsFolder, "Without", ".soundferry.json"));
    const found = await importer.packages();
    expect(found.saved).toMatchObject([{ package_id: "pkg_1_____________________" }]);
    expect(found.local).toMatchObject([{ package_id: expect.stringMatching(/^local_/) }]);
    expect(await importer.import("pkg_1_____________________")).toMatchObject({
      status: "imported",
    });
    const { packages, failures } = await importer.importAll();
    expect([packages.length, failures]).toEqual([
      1,
      [expect.objectContaining({ source: "the relay" })],
    ]);
    expect((await importer.packages()).saved).toMatchObject([
      { package_id: "pkg_1_____________________" },
    ]);
  });
});

describe("a folder of a stranger's making", () => {
  const HOSTILE: Readonly<Record<string, (folder: string, outside: string) => Promise<unknown>>> = {
    "a manifest that leads outside": async (folder) => {
      const items = ["../../secret.wav", "/etc/passwd", "..\\secret.wav"].map((file) => ({ file }));
      await writeFile(
        join(folder, "manifest.json"),
        JSON.stringify({ schema: "app2host/1", items }),
      );
    },
    "a manifest that is a link": async (folder, outside) => {
      await rename(join(folder, "manifest.json"), join(outside, "manifest.json"));
      await symlink(join(outside, "manifest.json"), join(folder, "manifest.json"));
    },
    "a huge manifest": (folder) => writeFile(join(folder, "manifest.json"), "[".repeat(3_000_000)),
    "a manifest that is a folder": async (folder) => {
      await rm(join(folder, "manifest.json"));
      await mkdir(join(folder, "manifest.json"));
    },
    "sounds that are links": async (folder, outside) => {
      for (const name of ["Kick.wav", "Snare.wav", "Hat.wav"]) {
        await rename(join(folder, name), join(outside, name));
        await symlink(join(outside, name), join(folder, name));
      }
    },
    "a link in its place": async (folder, outside) => {
      await rename(folder, join(outside, "Kit"));
      await symlink(join(outside, "Kit"), folder);
    },
  };

  test.each(Object.keys(HOSTILE))("[F4][F10] is no saved package: %s", async (name) => {
    const { importer, kit } = await savedYesterday();
    const outside = await temporaryFolder();
    await writeFile(join(kit, "..", "..", "secret.wav"), await readFile(join(kit, "Kick.wav")));
    await HOSTILE[name]?.(kit, outside);
    const before = await readdir(outside, { recursive: true });
    expect((await importer.packages()).saved).toBeUndefined();
    await expect(importer.import("pkg_1_____________________")).rejects.toThrow(
      "The relay has no package pkg_1_____________________",
    );
    expect(await readdir(outside, { recursive: true })).toEqual(before);
  });

  test.each(["../../x", "pkg_/../..", "__proto__", "local_short", ""])(
    "[F4][F10] whose marker has the id %j counts like one without a marker",
    async (id) => {
      const { importer, kit } = await savedYesterday();
      const marker = JSON.parse(await readFile(join(kit, ".soundferry.json"), "utf8"));
      await writeFile(join(kit, ".soundferry.json"), JSON.stringify({ ...marker, package_id: id }));
      const found = await importer.packages();
      expect(found.saved).toBeUndefined();
      expect(found.local).toMatchObject([{ package_id: expect.stringMatching(/^local_/) }]);
    },
  );

  test("[F10] whose manifest has another id than the marker is the marker's", async () => {
    const { importer, kit } = await savedYesterday();
    const manifest = JSON.parse(await readFile(join(kit, "manifest.json"), "utf8"));
    const other = { ...manifest, package_id: "pkg_other_________________" };
    await writeFile(join(kit, "manifest.json"), JSON.stringify(other));
    expect((await importer.packages()).saved).toMatchObject([
      {
        package_id: "pkg_1_____________________",
        manifest: { package_id: "pkg_1_____________________" },
      },
    ]);
  });
});
