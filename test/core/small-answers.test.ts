import { MAX_BPM, MAX_GAIN_DB, MIN_BPM, MIN_GAIN_DB } from "../../core/limits.ts";
import { isThisComputer } from "../../core/protocol/judge-host.ts";
import { PACKAGE_STATUSES } from "../../core/protocol/package-status.ts";
import { userDataFolder } from "../../core/settings.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { secondsUntil, timeText } from "../../core/time.ts";
import { VERSION } from "../../core/version.ts";
import { readFileSync } from "node:fs";
import { posix, win32 } from "node:path";
import { expect, test } from "vitest";

test("a timestamp is in UTC with milliseconds", () => {
  expect(timeText(Date.UTC(2026, 0, 31, 12, 0, 0, 7))).toBe("2026-01-31T12:00:00.007Z");
});

test("[S7] remaining seconds are rounded up, and 0 once the time has passed", () => {
  const left = [10_000, 9001, 9000, 1, 0, -1, -5000].map((ms) => secondsUntil(50_000 + ms, 50_000));
  expect(left).toEqual([10, 10, 9, 1, 0, 0, 0]);
});

test.each(["localhost", "relay.localhost", "127.0.0.1", "127.8.9.1", "[::1]"])(
  "the host %s is this computer",
  (hostname) => {
    expect(isThisComputer(hostname)).toBe(true);
  },
);

test.each(
  (
    "relay.example localhost.example notlocalhost 1270.0.0.1 10.127.0.1 127 " +
    "127.evil.example 127.0.0.1.example [::11] [fe80::1] x[::1] [::1].example"
  ).split(" "),
)("the host %s is another computer", (hostname) => {
  expect(isThisComputer(hostname)).toBe(false);
});

test("a JSON object is neither null nor a list", () => {
  expect([{}, Object.create(null)].map(isJsonObject)).toEqual([true, true]);
  expect([null, [], "x", 1, undefined, true].some(isJsonObject)).toBe(false);
});

test("parsing invalid JSON returns undefined", () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] });
  expect([parseJson("null"), parseJson(""), parseJson("{")]).toEqual([null, undefined, undefined]);
});

test("[M4] a gain is from -70 to +24 dB, and a tempo from 20 to 999 BPM", () => {
  expect([MIN_GAIN_DB, MAX_GAIN_DB, MIN_BPM, MAX_BPM]).toEqual([-70, 24, 20, 999]);
});

test("[S1][S3][S4] a package is in one of six states", () => {
  expect(PACKAGE_STATUSES).toEqual([
    "uploading",
    "waiting",
    "imported",
    "partial",
    "failed",
    "expired",
  ]);
});

test.each([
  ["darwin", {}, "/home/me/Library/Application Support"],
  ["darwin", { XDG_DATA_HOME: "/data", APPDATA: "/app" }, "/home/me/Library/Application Support"],
  ["linux", {}, "/home/me/.local/share"],
  ["linux", { XDG_DATA_HOME: "" }, "/home/me/.local/share"],
  ["linux", { XDG_DATA_HOME: "/data", APPDATA: "/app" }, "/data"],
  ["freebsd", { XDG_DATA_HOME: "/data" }, "/data"],
])("on %s with %j a user's data is in %s", (platform, environment, folder) => {
  const machine = { platform, home: "/home/me", environment };
  expect(userDataFolder(machine, (...parts) => posix.join(...parts))).toBe(folder);
});

test.each([
  [{}, "C:\\Me\\AppData\\Roaming"],
  [{ APPDATA: "", XDG_DATA_HOME: "D:\\x" }, "C:\\Me\\AppData\\Roaming"],
  [{ APPDATA: "D:\\Roaming" }, "D:\\Roaming"],
])("on Windows with %j a user's data is in %s", (environment, folder) => {
  const machine = { platform: "win32", home: "C:\\Me", environment };
  expect(userDataFolder(machine, (...parts) => win32.join(...parts))).toBe(folder);
});

test("the version in the code matches package.json", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(text)).toMatchObject({ version: VERSION });
});
