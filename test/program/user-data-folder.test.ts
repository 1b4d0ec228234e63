import { join } from "node:path";
import { expect, test } from "vitest";
import { userDataFolder } from "../../program/user-data-folder.ts";

test.each([
  ["darwin", {}, "/home/me/Library/Application Support"],
  ["darwin", { XDG_DATA_HOME: "/data", APPDATA: "/app" }, "/home/me/Library/Application Support"],
  ["linux", {}, "/home/me/.local/share"],
  ["linux", { XDG_DATA_HOME: "" }, "/home/me/.local/share"],
  ["linux", { XDG_DATA_HOME: "/data", APPDATA: "/app" }, "/data"],
  ["freebsd", { XDG_DATA_HOME: "/data" }, "/data"],
])("on %s with %j a user's data is in %s", (platform, environment, folder) => {
  const machine = { platform, home: "/home/me", environment };
  expect(userDataFolder(machine)).toBe(folder);
});

test.each([
  [{}, join("C:\\Me", "AppData", "Roaming")],
  [{ APPDATA: "", XDG_DATA_HOME: "D:\\x" }, join("C:\\Me", "AppData", "Roaming")],
  [{ APPDATA: "D:\\Roaming" }, "D:\\Roaming"],
])("on Windows with %j a user's data is in %s", (environment, folder) => {
  const machine = { platform: "win32", home: "C:\\Me", environment };
  expect(userDataFolder(machine)).toBe(folder);
});
