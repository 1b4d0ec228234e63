import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  findLibrary,
  findLiveLog,
  type LiveMachine,
  parseDocuments,
  parseLibraryConfig,
} from "../../../addon/live-setup/find-library.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A computer with folders and files in its home. */
async function computer(platform: string, paths: readonly string[] = []) {
  const home = await temporaryFolder();
  for (const path of paths) await mkdir(join(home, path), { recursive: true });
  const machine: LiveMachine = {
    platform,
    home,
    environment: {},
    askForDocuments: async () => undefined,
  };
  const configure = async (path: string, folder: string, name = "User Library") => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), libraryConfig(join(home, folder), name));
  };
  const find = async (more: Partial<LiveMachine> = {}, given?: string) => {
    const found = await findLibrary({ ...machine, ...more }, given);
    const short = (path: string) => path.replace(`${home}/`, "");
    return found.kind === "found"
      ? short(found.path)
      : { hasLive: found.hasLive, tried: found.tried.map(short) };
  };
  return { home, find, configure };
}

function libraryConfig(folder: string, name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Ableton><ContentLibrary>
  <Packs><LibraryProject Id="0"><ProjectPath Value="/packs" /></LibraryProject></Packs>
  <UserLibrary>
    <LibraryProject Id="0">
      <ProjectName Value="${name}" />
      <ProjectPath Value="${folder}" />
    </LibraryProject>
  </UserLibrary>
</ContentLibrary></Ableton>`;
}

test.each([
  ["darwin", "Music/Ableton/User Library"],
  ["win32", "Documents/Ableton/User Library"],
])("[H20] on %s the library is found at %s", async (platform, path) => {
  const { find } = await computer(platform, [path]);
  expect(await find()).toBe(path);
});

test("[H20] a given library is the only one that is looked at, with or without Live", async () => {
  const { home, find } = await computer("darwin", ["Music/Ableton/User Library", "moved"]);
  expect(await find({}, join(home, "moved"))).toBe("moved");
  const gone = { hasLive: true, tried: ["gone"] };
  expect(await find({}, join(home, "gone"))).toEqual(gone);
  expect(await find({ platform: "linux" }, join(home, "moved"))).toBe("moved");
  expect(await find({ platform: "linux" })).toEqual({ hasLive: false, tried: [] });
});

test("[H20] without a library, Live's own folder says whether Live was ever started", async () => {
  const { find } = await computer("darwin");
  const tried = ["Music/Ableton/User Library"];
  expect(await find()).toEqual({ hasLive: false, tried });
  const other = await computer("darwin", ["Library/Preferences/Ableton/Live 12.1.5"]);
  expect(await other.find()).toEqual({ hasLive: true, tried });
});

test.each([
  ["darwin", (live: string) => `Library/Preferences/Ableton/${live}/Library.cfg`],
  ["win32", (live: string) => `AppData/Roaming/Ableton/${live}/Preferences/Library.cfg`],
])("[H20] on %s a moved library is where a Live says", async (platform, configOf) => {
  const { find, configure } = await computer(platform, [
    "Music/Ableton/User Library",
    "Documents/Ableton/User Library",
    "disk/My & Library",
    "older/User Library",
  ]);
  await configure(configOf("Live 9.7.7"), "older");
  expect(await find()).toBe("older/User Library");
  await configure(configOf("Live 12.1.5"), "disk", "My &amp; Library");
  expect(await find()).toBe("disk/My & Library");
  await configure(configOf("Live 12.10.0"), "unplugged");
  expect(await find()).toBe("disk/My & Library");
});

test("[H20] of several Lives the one counts that wrote its configuration last, not the newest version", async () => {
  const { home, find, configure } = await computer("darwin", [
    "new/User Library",
    "old/User Library",
  ]);
  const configOf = (live: string) => `Library/Preferences/Ableton/${live}/Library.cfg`;
  await configure(configOf("Live 12.3"), "new");
  await configure(configOf("Live 11.3.25"), "old");
  await utimes(join(home, configOf("Live 12.3")), 1000, 1000);
  expect(await find()).toBe("old/User Library");
  await utimes(join(home, configOf("Live 11.3.25")), 999, 999);
  expect(await find()).toBe("new/User Library");
});

test("[H21] the log is that of the Live that wrote it last, and there may be none", async () => {
  const { home } = await computer("win32");
  const machine = { platform: "win32", home, environment: {} };
  expect(await findLiveLog(machine)).toBeUndefined();
  expect(await findLiveLog({ ...machine, platform: "linux" })).toBeUndefined();
  const pathOf = (live: string) =>
    join(home, "AppData", "Roaming", "Ableton", live, "Preferences", "Log.txt");
  for (const live of ["Live 11.3.25", "Live 12.3"]) {
    await mkdir(dirname(pathOf(live)), { recursive: true });
    await writeFile(pathOf(live), "");
  }
  await utimes(pathOf("Live 12.3"), 1000, 1000);
  expect(await findLiveLog(machine)).toBe(pathOf("Live 11.3.25"));
});

test("[H20] Live's file may name the library itself, and a damaged one is passed over", async () => {
  const { find, configure, home } = await computer("darwin", ["disk/User Library"]);
  const path = "Library/Preferences/Ableton/Live 12.1.5/Library.cfg";
  await configure(path, "disk/User Library");
  expect(await find()).toBe("disk/User Library");
  await writeFile(join(home, path), "<Ableton");
  expect(await find()).toMatchObject({ hasLive: true });
});

test("[H20] Documents that OneDrive or a person moved are where Windows says, or else in OneDrive", async () => {
  const { home, find } = await computer("win32", [
    "Documents/Ableton/User Library",
    "OneDrive/Dokumente/Ableton/User Library",
    "OneDrive/Documents/Ableton/User Library",
  ]);
  const askForDocuments = async () => join(home, "OneDrive/Dokumente");
  expect(await find({ askForDocuments })).toBe("OneDrive/Dokumente/Ableton/User Library");
  expect(await find()).toBe("Documents/Ableton/User Library");
  const cloud = await computer("win32", ["OneDrive/Documents/Ableton/User Library"]);
  const environment = { OneDrive: join(cloud.home, "OneDrive") };
  expect(await cloud.find({ environment })).toBe("OneDrive/Documents/Ableton/User Library");
});

test("[H20] parses what Windows prints for the Documents folder", () => {
  const printed = String.raw`
HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders
    Personal    REG_EXPAND_SZ    %USERPROFILE%\OneDrive - Büro\Dokumente

`;
  const environment = { UserProfile: String.raw`C:\Users\mia` };
  expect(parseDocuments(printed, environment)).toBe(
    String.raw`C:\Users\mia\OneDrive - Büro\Dokumente`,
  );
  const plain = String.raw`    Personal    REG_SZ    D:\My %Docs%`;
  expect(parseDocuments(plain, {})).toBe(String.raw`D:\My %Docs%`);
  expect(parseDocuments("FEHLER: nichts gefunden", {})).toBeUndefined();
});

test("[H20] parses the library's place from Live's file, with its entities", () => {
  expect(parseLibraryConfig(libraryConfig("C:/Users/m&#xFC;ller&apos;s", "User Library"))).toEqual({
    folder: "C:/Users/müller's",
    name: "User Library",
  });
  expect(parseLibraryConfig('<ProjectPath Value="/a&#252;b" />')).toEqual({
    folder: "/aüb",
    name: "User Library",
  });
  for (const text of ["", "<UserLibrary></UserLibrary>", '<ProjectPath Value="" />']) {
    expect(parseLibraryConfig(text)).toBeUndefined();
  }
});
