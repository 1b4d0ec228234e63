import { mkdir, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FolderRevealer } from "../../../addon/packages/folder-revealer.ts";
import { readImporterSettings, withLibrary } from "../../../addon/settings.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import { soon } from "../../sim/soon.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { gatedHost } from "../paused-host.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runPanel } from "./ask.ts";

const kit = async () =>
  writeLocalPackage(join(await temporaryFolder(), "Kit"), "Kit", ["Kick", "Snare"]);

/** A running importer as the command line starts it on a computer with a User Library. */
async function inStudio(folder: string, trouble: "cloud" | null = null) {
  const library = join(folder, "User Library");
  await mkdir(library, { recursive: true });
  const data = join(folder, "data");
  const environment = { SOUNDFERRY_IMPORTER_DATA: data, SOUNDFERRY_PANEL_PORT: "0" };
  const read = () => {
    const stored = openStoredSettings(data).settings();
    const machine = { platform: "linux", home: folder, hostName: "studio", environment } as const;
    const settings = readImporterSettings({ environment, stored }, machine, { relayUrl: null });
    return withLibrary(settings, { path: library, trouble });
  };
  const settings = read();
  const panel = await runPanel(null, { folder, settings });
  return { ...panel, library, read };
}

describe("[F9] the place that nobody chose", () => {
  test("is in the User Library, is stored at its first use and stays", async () => {
    const folder = await temporaryFolder();
    const { read, importer, library, ...panel } = await inStudio(folder);
    const inLibrary = join(library, "Samples", "Soundferry");
    expect(importer.state.soundsFolder).toEqual({
      path: inLibrary,
      isInLibrary: true,
      because: null,
      fixedBecause: null,
    });
    await importer.import(await kit());
    const names = [".soundferry-sounds", "Inbox", "Kit"];
    expect((await readdir(inLibrary)).sort()).toEqual(names);
    await panel.close();
    expect(read().soundsFolder).toBe(inLibrary);

    // A cloud that took the library over later moves nothing.
    const later = await inStudio(folder, "cloud");
    expect(later.settings.soundsFolder).toBe(inLibrary);
    expect(later.settings.inboxFolder).toBe(join(inLibrary, "Inbox"));
  });

  test("is in the home folder's music where the library is in a cloud, also after the cloud is gone", async () => {
    const folder = await temporaryFolder();
    const { settings, ...panel } = await inStudio(folder, "cloud");
    const usual = join(folder, "Music", "Soundferry");
    expect(settings.soundsFolder).toBe(usual);
    expect(await readdir(usual)).toContain("Inbox");
    await panel.close();
    expect((await inStudio(folder)).settings.soundsFolder).toBe(usual);
  });

  test("isn't stored before it is used", async () => {
    const folder = await temporaryFolder();
    const library = join(folder, "User Library");
    const settings = readImporterSettings(
      { environment: { SOUNDFERRY_IMPORTER_DATA: join(folder, "data") } },
      { platform: "linux", home: folder, hostName: "studio", environment: {} },
    );
    expect(withLibrary(settings, { path: library, trouble: null })).toMatchObject({
      soundsFolder: join(library, "Samples", "Soundferry"),
      isSoundsFolderNew: true,
    });
    const given = { ...settings, inboxFolder: join(folder, "Mine"), isInboxGiven: true };
    expect(withLibrary(given, { path: library, trouble: null }).inboxFolder).toBe(
      join(folder, "Mine"),
    );
  });

  test("[F7] is made again if it was deleted, but not without its library's drive", async () => {
    const folder = await temporaryFolder();
    const { importer, library } = await inStudio(folder);
    await importer.import(await kit());
    await rename(join(library, "Samples"), join(folder, "Deleted"));
    await mkdir(join(library, "Presets"));
    expect(await importer.import(await kit(), { again: true })).toMatchObject({
      status: "imported",
    });
    await rename(library, join(folder, "Unplugged"));
    await expect(importer.import(await kit(), { again: true })).rejects.toThrow(
      "Plug it in, or choose another folder.",
    );
    expect(await readdir(folder)).not.toContain("User Library");
  });
});

describe("[F9] a folder that a person chooses", () => {
  const set = "/control/sounds-folder";

  async function setUp() {
    const folder = await temporaryFolder();
    const settings = { soundsFolder: join(folder, "sounds"), isInboxGiven: false } as const;
    const panel = await runPanel(null, { folder, settings });
    const choose = (chosen: string) => panel.call("PUT", set, { folder: chosen });
    return { ...panel, chosen: join(folder, "Chosen"), choose };
  }

  test("counts at once for imports, inbox and sizes, and after a restart", async () => {
    const { importer, chosen, choose, folder, settings, ...panel } = await setUp();
    await importer.import(await kit());
    const answer = await choose(chosen);
    expect([answer.status, answer.json]).toEqual([200, { stays: settings.soundsFolder }]);
    expect(importer.state.soundsFolder.path).toBe(chosen);
    await soon(() => importer.state.keptFiles.bytes).toBe(0);

    await importer.import(await writeLocalPackage(join(folder, "Perc"), "Perc", ["Shaker"]));
    expect((await readdir(chosen)).sort()).toEqual([".soundferry-sounds", "Inbox", "Perc"]);
    expect(await readdir(settings.soundsFolder)).not.toContain("Perc");
    await soon(() => importer.state.keptFiles.bytes).toBeGreaterThan(0);
    await writeLocalPackage(join(chosen, "Inbox", "Dropped"), "Dropped", ["Clap"]);
    await soon(() => importer.state.local.map((one) => one.folder)).toEqual([
      join(chosen, "Inbox", "Dropped"),
    ]);

    await panel.close();
    const { SOUNDFERRY_SOUNDS: stored } = openStoredSettings(settings.dataFolder).settings();
    expect(stored).toBe(chosen);
  });

  test("is nothing new where it is the same, and says so only if something stays", async () => {
    const { choose, chosen } = await setUp();
    expect((await choose(chosen)).json).toEqual({ stays: null });
    expect((await choose(chosen)).json).toEqual({ stays: null });
  });

  test("is refused in a sentence without a path, and nothing changes", async () => {
    const { importer, choose, settings } = await setUp();
    const { status, json } = await choose(settings.dataFolder);
    expect(status).toBe(500);
    expect(json?.["error"]).toBe(
      "Soundferry uses data for something else. Choose another folder for the sounds.",
    );
    expect(importer.state.soundsFolder.path).toBe(settings.soundsFolder);
    const text = await readFile(join(settings.dataFolder, "config.json"), "utf8").catch(() => "");
    expect(text).not.toContain("SOUNDFERRY_SOUNDS");
  });

  test("waits for the end of an import", async () => {
    const { host, reached, open } = gatedHost();
    const { importer, call, folder } = await runPanel(null, { more: { host } });
    const importing = importer.import(await kit());
    await reached;
    const refused = await call("PUT", set, { folder: join(folder, "Chosen") });
    expect(refused).toMatchObject({
      status: 409,
      json: { error: "An import is running. Change the sounds folder when it has finished." },
    });
    open();
    await importing;
    expect((await call("PUT", set, { folder: join(folder, "Chosen") })).status).toBe(200);
  });

  test("can't replace one that a flag or the environment names", async () => {
    const soundsFixedBecause = "The sounds folder is set by SOUNDFERRY_SOUNDS.";
    const { importer, call, folder } = await runPanel(null, { settings: { soundsFixedBecause } });
    expect(importer.state.soundsFolder.fixedBecause).toBe(soundsFixedBecause);
    const { json } = await call("PUT", set, { folder: join(folder, "Chosen") });
    expect(json?.["error"]).toBe(soundsFixedBecause);
    expect(await readdir(folder)).not.toContain("Chosen");
  });

  test("[N12] is the one that is shown", async () => {
    const shown: string[] = [];
    const folderRevealer: FolderRevealer = {
      kind: "finder",
      reveal: async (folder) => void shown.push(folder),
    };
    const { call, settings, folder } = await runPanel(null, { more: { folderRevealer } });
    const chosen = join(folder, "Chosen");
    expect((await call("POST", `${set}/reveal`)).status).toBe(200);
    await call("PUT", set, { folder: chosen });
    await call("POST", `${set}/reveal`);
    expect(shown).toEqual([settings.soundsFolder, chosen]);
    const without = await runPanel(null);
    expect((await without.call("POST", `${set}/reveal`)).json?.["error"]).toBe(
      "Soundferry can't show folders here.",
    );
  });
});
