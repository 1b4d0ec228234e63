import { type Fault, failCalls } from "../../sim/faulty-disk.ts";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openImporter, startImporter } from "../../../addon/control/open-importer.ts";
import { makeChosenFolder } from "../../../addon/disk/check-sounds-folder.ts";
import { DiskError } from "../../../addon/disk/disk-error.ts";
import { examineLibrary } from "../../../addon/disk/sounds-place.ts";
import { readLocalPackage } from "../../../addon/packages/local-package.ts";
import { readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { soundFile } from "../../../client/node/in-node.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { importerOptions, writeLocalPackage } from "../importer-at-work.ts";
import { temporarySite } from "../runs/temporary-site.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function kit(): Promise<string> {
  return writeLocalPackage(join(await temporaryFolder(), "Kit"), "Kit", ["Kick", "Snare"]);
}

const UNFLUSHABLE: readonly Fault[] = [
  { call: "flush folder", code: "EINVAL" },
  { call: "flush folder", code: "ENOTSUP" },
  { call: "flush folder", code: "ENOSYS" },
  { call: "open folder", code: "EACCES" },
  { call: "open folder", code: "EISDIR" },
];

test.each(UNFLUSHABLE)("[Z13] an import works on $code ($call)", async (fault) => {
  using _disk = failCalls(fault);
  await using opened = await openImporter(await importerOptions(null));
  expect(await opened.importer.import(await kit())).toMatchObject({ status: "imported" });
});

test.each(["EPERM", "ENOTSUP", "ENOSYS"])(
  "[R3] an importer starts on a disk without links (%s), and a second one is refused",
  async (code) => {
    using _disk = failCalls({ call: "link", code });
    const options = await importerOptions(null);
    await using _first = await startImporter(options);
    await expect(startImporter(options)).rejects.toThrow(
      `An importer is already running (process ${process.pid})`,
    );
  },
);

describe("[F8] a disk that fails is named in a sentence, by its folder", () => {
  const READ_ONLY =
    "Soundferry can't save to {folder}: it is read-only, or Soundferry may not use it. Choose another folder in the settings.";
  const FULL =
    "The disk with {folder} is full. Free some space and import again; downloaded sounds are kept.";
  const MANY = "Too many files are open on this computer. Close a program and import again.";
  const AWAY = "The drive with {folder} isn't there. Plug it in and import again.";
  const OTHER =
    "The disk with {folder} reports an error. Check it, then import again; downloaded sounds are kept.";
  test.each<[Fault["call"], string, string]>([
    ["write", "ENOSPC", FULL],
    ["write", "EDQUOT", FULL],
    ["write", "EIO", OTHER],
    ["write", "ENXIO", AWAY],
    ["flush", "EIO", OTHER],
    ["flush", "ENOSPC", FULL],
    ["flush", "EINVAL", OTHER],
    ["flush folder", "EIO", OTHER],
    ["flush folder", "ENOSPC", FULL],
    ["open", "EROFS", READ_ONLY],
    ["open", "EACCES", READ_ONLY],
    ["open", "EPERM", READ_ONLY],
    ["open", "EMFILE", MANY],
    [
      "open",
      "ENAMETOOLONG",
      "A name in {folder} is too long for its disk. Choose a folder with a shorter path in the settings.",
    ],
    ["open", "ESTALE", AWAY],
    ["open", "EBUSY", "Another program uses a file in {folder}. Close it and import again."],
    ["mkdir", "EROFS", READ_ONLY],
  ])("%s: %s", async (call, code, sentence) => {
    const site = await temporarySite();
    await mkdir(site.sounds);
    const source = await readLocalPackage(await kit());
    using _disk = failCalls({ call, code, at: site.sounds });
    const error = await site.import(source).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(DiskError);
    expect(sentenceOf(error)).toBe(sentence.replace("{folder}", site.sounds));
  });

  test.each<[Fault["call"], string, string]>([
    ["open", "EROFS", READ_ONLY],
    ["write", "ENOSPC", FULL],
  ])("also the data folder at a start: %s: %s", async (call, code, sentence) => {
    const options = await importerOptions(null);
    const { dataFolder } = options.settings;
    using _disk = failCalls({ call, code, at: dataFolder });
    await expect(startImporter(options)).rejects.toThrow(
      `SOUNDFERRY_IMPORTER_DATA can't be used: ${sentence.replace("{folder}", dataFolder)}`,
    );
  });

  test("also a read-only sounds folder at a start", async () => {
    const options = await importerOptions(null);
    const { soundsFolder } = options.settings;
    const settings = { ...options.settings, inboxFolder: join(soundsFolder, "Inbox") };
    await mkdir(soundsFolder);
    using _disk = failCalls({ call: "write", code: "EROFS", at: soundsFolder });
    await expect(startImporter({ ...options, settings })).rejects.toThrow(
      READ_ONLY.replace("{folder}", soundsFolder),
    );
  });

  test("also the folder of what the importer knows", async () => {
    const site = await temporarySite();
    const source = await readLocalPackage(await kit());
    using _disk = failCalls({ call: "write", code: "ENOSPC", at: site.dataFolder });
    const runs = join(site.dataFolder, "runs");
    await expect(site.import(source)).rejects.toThrow(FULL.replace("{folder}", runs));
  });
});

describe("[R1] a sound that is only in the cloud", () => {
  const EVICTED = "Kick.wav is still in iCloud: download it in the Finder, then try again.";
  const PERHAPS =
    "Kick.wav can't be read. It may be only in the cloud: download it, then try again.";
  test.each(["ETIMEDOUT", "UNKNOWN"])("may be in another cloud (%s)", async (code) => {
    const folder = await kit();
    using _disk = failCalls({ call: "read", code, at: "Kick.wav" });
    const site = await temporarySite();
    const { tracks } = await site.import(await readLocalPackage(folder));
    expect(tracks.map(({ error }) => error)).toEqual([PERHAPS, null]);
  });

  test.each(["EDEADLK", "Unknown system error -11", "Unknown system error -35"])(
    "is named; the others count (%s)",
    async (code) => {
      const folder = await kit();
      using _disk = failCalls({ call: "read", code, at: "Kick.wav" });
      const site = await temporarySite();
      const outcome = await site.import(await readLocalPackage(folder));
      expect(outcome.status).toBe("partial");
      expect(outcome.tracks.map(({ error }) => error)).toEqual([EVICTED, null]);
      const { headers } = await readPackageFolder(folder);
      expect([...headers.values()]).toMatchObject([{ error: EVICTED }, { channels: 1 }]);
      const path = join(folder, "Kick.wav");
      await expect(soundFile(path)).rejects.toMatchObject({ code: "SOUND_UNREADABLE" });
      await expect(soundFile(path)).rejects.toThrow(join(folder, EVICTED));
    },
  );
});

describe("[F9] a folder that refuses files", () => {
  test.each([
    ["EROFS", "it is read-only, or Soundferry may not use it. Choose another folder"],
    ["ENOSPC", "is full. Free some space"],
  ])("isn't chosen (%s)", async (code, sentence) => {
    const folder = await temporaryFolder();
    const chosen = join(folder, "Loops");
    using _disk = failCalls({ call: "write", code, at: ".soundferry-" });
    const knownFolders = join(folder, "sounds-folders.json");
    const making = makeChosenFolder(chosen, { home: folder, otherFolders: [], knownFolders });
    await expect(making).rejects.toThrow(DiskError);
    await expect(making).rejects.toThrow(sentence);
    expect(await readdir(folder)).toEqual([]);
  });

  test("is no User Library for sounds", async () => {
    const library = await temporaryFolder();
    using _disk = failCalls({ call: "write", code: "EACCES", at: library });
    expect(await examineLibrary(library, [])).toMatchObject({ trouble: "not-writable" });
    expect(await readdir(library)).toEqual([]);
  });
});

describe("[F7] the drive with the sounds folder", () => {
  async function onDrive(inside: readonly string[] = []) {
    const outside = await temporaryFolder();
    const drive = join(outside, "Drive");
    const soundsFolder = join(drive, ...inside);
    await mkdir(drive);
    const settings = { soundsFolder, inboxFolder: join(soundsFolder, "Inbox") };
    const options = await importerOptions(null, { settings });
    const sentence = `The drive with the sounds folder ${soundsFolder} isn't there. Plug it in, or choose another folder.`;
    const importInto = async () => {
      await using opened = await openImporter(options);
      return await opened.importer.import(await kit(), { again: true });
    };
    const unplugged = join(outside, "Unplugged");
    return { drive, unplugged, soundsFolder, options, sentence, importInto };
  }

  test.each([
    ["is missing", []],
    ["is missing with what was in it", ["Sounds"]],
  ])("%s: the folder isn't made on another disk", async (_, inside) => {
    const { drive, unplugged, sentence, options, importInto } = await onDrive(inside);
    expect(await importInto()).toMatchObject({ status: "imported" });
    await rename(drive, unplugged);
    await expect(importInto()).rejects.toThrow(sentence);
    await expect(startImporter(options)).rejects.toThrow(sentence);
    expect(existsSync(drive)).toBe(false);
    await rename(unplugged, drive);
    expect(await importInto()).toMatchObject({ status: "imported" });
  });

  test("left an empty mount point: nothing is put into it", async () => {
    const { drive, unplugged, sentence, importInto } = await onDrive();
    await importInto();
    await rename(drive, unplugged);
    await mkdir(drive);
    await expect(importInto()).rejects.toThrow(sentence);
    expect(await readdir(drive)).toEqual([]);
  });

  test("isn't missing where nobody chose the folder: it is made again", async () => {
    const { drive, options } = await onDrive();
    for (let start = 0; start < 2; start += 1) {
      await rm(drive, { recursive: true });
      await using _running = await startImporter({ ...options, isSoundsFolderOurs: true });
      expect(await readdir(drive)).toEqual(["Inbox"]);
    }
  });

  test("is there although the folder has no sound any more", async () => {
    const { soundsFolder, importInto } = await onDrive();
    await importInto();
    await rm(join(soundsFolder, "Kit"), { recursive: true });
    expect(await importInto()).toMatchObject({ status: "imported" });
  });
});
