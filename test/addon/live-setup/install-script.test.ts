import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installScript, uninstallScript } from "../../../addon/live-setup/install-script.ts";
import { lookAtScript } from "../../../addon/live-setup/look-at-script.ts";
import { VERSION } from "../../../core/version.ts";
import { contentsOf, stubScript, textsOf, userLibrary, writeFiles } from "./stub-script.ts";

const FILES = stubScript();
const OLD = stubScript("0.0.9", { "gone.py": "# only in 0.0.9\n" });
const FOLDERS = ["/data/importer", "/data/extension"];

test("[H20] copies every file of the script, and writes down where it says that it listens", async () => {
  const { library, root, place } = await userLibrary();
  const done = await installScript({ library, files: FILES, folders: FOLDERS });
  expect(done).toEqual({ path: place, version: VERSION, was: "missing", kept: [] });
  const { "folders.json": folders = "", "installed.json": _, ...scripts } = await contentsOf(place);
  expect(JSON.parse(folders)).toEqual({ folders: FOLDERS });
  expect(scripts).toEqual(textsOf(FILES));
  expect(await readdir(root)).toEqual(["Soundferry"]);
});

test("[H20] an old copy is replaced as a whole: its files and what Python compiled are gone, other files stay", async () => {
  const { library, place } = await userLibrary();
  await installScript({ library, files: OLD, folders: FOLDERS });
  await writeFiles(join(place, "__pycache__"), {
    "gone.cpython-311.pyc": "old",
    "surface.cpython-37.pyc": "old",
    "mine.cpython-311.pyc": "mine",
  });
  await writeFiles(place, { "notes.txt": "mine", "mine.py": "# mine" });
  await writeFiles(join(place, "presets"), { "a.json": "{}" });
  const done = await installScript({ library, files: FILES, folders: FOLDERS });
  const kept = ["__pycache__/mine.cpython-311.pyc", "mine.py", "notes.txt", "presets"];
  expect(done).toMatchObject({ was: "old", kept });
  expect(Object.keys(await contentsOf(place))).toEqual([
    "__init__.py",
    "__pycache__/mine.cpython-311.pyc",
    "folders.json",
    "installed.json",
    "mine.py",
    "notes.txt",
    "presets/a.json",
    "surface.py",
    "version.py",
  ]);
});

test("[H20] the folders of an earlier installation stay, so that two importers don't cut each other off", async () => {
  const { library, place } = await userLibrary();
  await installScript({ library, files: FILES, folders: ["/first"] });
  const look = (folder: string) => lookAtScript(library, { files: FILES, folders: [folder] });
  expect((await look("/second")).state).toBe("old");
  await installScript({ library, files: FILES, folders: ["/second"] });
  expect(JSON.parse((await contentsOf(place))["folders.json"] ?? "")).toEqual({
    folders: ["/second", "/first"],
  });
  expect([(await look("/first")).state, (await look("/second")).state]).toEqual([
    "current",
    "current",
  ]);
});

test("[H20] tells a current copy from an old one, one changed by hand, and somebody else's folder", async () => {
  const { library, place } = await userLibrary();
  const look = async () => {
    const { state, version } = await lookAtScript(library, { files: FILES, folders: FOLDERS });
    return `${state} ${version}`;
  };
  expect(await look()).toBe("missing null");
  await installScript({ library, files: OLD, folders: FOLDERS });
  expect(await look()).toBe("old 0.0.9");
  const otherBuild = stubScript(VERSION, { "surface.py": "# another build" });
  await installScript({ library, files: otherBuild, folders: FOLDERS });
  expect(await look()).toBe(`old ${VERSION}`);
  await installScript({ library, files: FILES, folders: FOLDERS });
  expect(await look()).toBe(`current ${VERSION}`);
  await writeFile(join(place, "surface.py"), "# changed");
  expect(await look()).toBe(`changed ${VERSION}`);
  await rm(join(place, "surface.py"));
  expect(await look()).toBe(`changed ${VERSION}`);
  await rm(place, { recursive: true });
  await mkdir(place);
  expect(await look()).toBe("missing null");
  await writeFiles(place, { "__init__.py": "# another project", "version.py": 'VERSION = "1"' });
  expect(await look()).toBe("foreign null");
});

test("[H20] a copy that a person made by hand is old, and is replaced", async () => {
  const { library, place } = await userLibrary();
  await writeFiles(place, FILES);
  const look = () => lookAtScript(library, { files: FILES, folders: FOLDERS });
  expect(await look()).toMatchObject({ state: "old", version: VERSION, others: [] });
  await installScript({ library, files: FILES, folders: FOLDERS });
  expect((await look()).state).toBe("current");
});

test("[H20] a folder of that name that isn't Soundferry's, and a link, are refused and stay as they are", async () => {
  const { library, root, place } = await userLibrary();
  await writeFiles(place, { "__init__.py": "# another project" });
  const install = () => installScript({ library, files: FILES, folders: FOLDERS });
  const refusal = `${place} wasn't made by Soundferry, or is a link. Move it away and try again.`;
  await expect(install()).rejects.toThrow(refusal);
  await expect(uninstallScript(library, FILES)).rejects.toThrow(refusal);
  expect(await contentsOf(place)).toEqual({ "__init__.py": "# another project" });

  await rm(place, { recursive: true });
  const elsewhere = join(library, "elsewhere");
  await writeFiles(elsewhere, FILES);
  await symlink(elsewhere, place, "junction");
  await expect(install()).rejects.toThrow(refusal);
  await expect(uninstallScript(library, FILES)).rejects.toThrow(refusal);
  expect(Object.keys(await contentsOf(elsewhere))).toHaveLength(FILES.size);
  expect(await readdir(root)).toEqual(["Soundferry"]);
});

test("[H20] a person's file with the name of a new one of Soundferry's is not replaced", async () => {
  const { library, place } = await userLibrary();
  await installScript({ library, files: FILES, folders: FOLDERS });
  await writeFiles(place, { "helper.py": "# mine" });
  const files = stubScript("0.2.0", { "helper.py": "# Soundferry's" });
  await expect(installScript({ library, files, folders: FOLDERS })).rejects.toThrow(
    `${place} has other files with names that Soundferry needs: helper.py. Move them away and try again.`,
  );
  const after = await contentsOf(place);
  expect([after["helper.py"], after["version.py"]]).toEqual([
    "# mine",
    textsOf(FILES)["version.py"],
  ]);
});

test("[H20] something else in the place of Remote Scripts is a sentence", async () => {
  const { library, root } = await userLibrary();
  await writeFile(root, "");
  await expect(installScript({ library, files: FILES, folders: FOLDERS })).rejects.toThrow(
    `${root} is in the way, because it isn't a folder. Move it away and try again.`,
  );
});

test.skipIf(process.platform === "win32")(
  "[H20] a library that can't be written to is a sentence",
  async () => {
    const { library: own } = await userLibrary();
    // Not even root writes there; elsewhere tests do not run as root.
    const library = process.platform === "linux" ? "/sys" : own;
    if (library === own) await chmod(library, 0o500);
    await expect(installScript({ library, files: FILES, folders: FOLDERS })).rejects.toThrow(
      `Soundferry can't write to ${join(library, "Remote Scripts")}. Make it writable, close programs that use it, and try again.`,
    );
  },
);

test("[H20] uninstall removes what install put there, and what Python compiled of it; twice is fine", async () => {
  const { library, root, place } = await userLibrary();
  await installScript({ library, files: OLD, folders: FOLDERS });
  await writeFiles(join(place, "__pycache__"), { "gone.cpython-311.pyc": "old" });
  await writeFile(join(place, "surface.py"), "# changed");
  const removal = await uninstallScript(library, FILES);
  expect(removal).toEqual({ path: place, isRemoved: true, kept: [] });
  expect(await readdir(root)).toEqual([]);
  expect(await uninstallScript(library, FILES)).toMatchObject({ isRemoved: false });
});

test("[H20] uninstall leaves other files and other scripts alone, and names the files", async () => {
  const { library, root, place } = await userLibrary();
  await installScript({ library, files: FILES, folders: FOLDERS });
  await writeFiles(place, { "notes.txt": "mine" });
  await writeFiles(join(root, "Other"), { "__init__.py": "# other" });
  expect(await uninstallScript(library, FILES)).toMatchObject({ kept: ["notes.txt"] });
  expect(await contentsOf(root)).toEqual({
    "Other/__init__.py": "# other",
    "Soundferry/notes.txt": "mine",
  });
});

test("[H20] a manipulated receipt can't name files elsewhere", async () => {
  const { library, place } = await userLibrary();
  await installScript({ library, files: FILES, folders: FOLDERS });
  const outside = join(library, "outside.py");
  await writeFile(outside, "# mine");
  const receipt = { soundferry: VERSION, files: { "../../outside.py": "0", "/outside.py": "0" } };
  await writeFile(join(place, "installed.json"), JSON.stringify(receipt));
  await uninstallScript(library, FILES);
  expect(await contentsOf(library)).toMatchObject({ "outside.py": "# mine" });
});
