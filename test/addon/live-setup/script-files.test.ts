import { join } from "node:path";
import { expect, test } from "vitest";
import { EXTENSION_ID, extensionFolders } from "../../../addon/live-setup/live-script.ts";
import { readScriptFiles, versionOf } from "../../../addon/live-setup/script-files.ts";
import { textsOf } from "./stub-script.ts";
import { VERSION } from "../../../core/version.ts";
import { EXTENSION_MANIFEST } from "../../../scripts/live/pack-extension.ts";

test("[H20] the script has this version, and a start that names Soundferry", async () => {
  const files = await readScriptFiles();
  expect(versionOf(files)).toBe(VERSION);
  expect(textsOf(files)["__init__.py"]).toContain("Soundferry");
  expect([...files.keys()].every((name) => /^\w+\.py$/.test(name))).toBe(true);
});

test("[H10][H20] the extension's folder is named by its manifest's author and name", () => {
  const { author, name } = EXTENSION_MANIFEST;
  expect(EXTENSION_ID).toBe(`${author}.${name}`.toLowerCase());
  const machine = { home: "/home", environment: {} };
  const data = join("Ableton", "Extensions Data", EXTENSION_ID);
  expect(extensionFolders({ ...machine, platform: "darwin" })).toEqual([
    join("/home/Library/Application Support", data),
  ]);
  expect(extensionFolders({ ...machine, platform: "win32" })).toEqual([
    join("/home/AppData/Roaming", data),
    join("/home/AppData/Local", data),
  ]);
  expect(extensionFolders({ ...machine, platform: "linux" })).toEqual([]);
});
