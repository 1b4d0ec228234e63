import { describe, expect, test } from "vitest";
import {
  flagOf,
  oneOf,
  plainText,
  readSettings,
  SettingsError,
  wholeNumber,
} from "../../core/settings.ts";
import { MAX_BPM, MAX_GAIN_DB, MIN_BPM, MIN_GAIN_DB } from "../../core/limits.ts";
import { isThisComputer } from "../../core/protocol/judge-host.ts";
import { PACKAGE_STATUSES } from "../../core/protocol/package-status.ts";
import { secondsUntil, timeText } from "../../core/time.ts";
import { VERSION } from "../../core/version.ts";
import { readFileSync } from "node:fs";

const TABLE = {
  port: wholeNumber("SOUNDFERRY_PORT", 8080, "The port.", { min: 0, max: 65_535 }),
  lease: wholeNumber("SOUNDFERRY_LEASE_S", 300, "Seconds."),
  folder: plainText("SOUNDFERRY_DATA", undefined, "The folder.", "depends on the machine"),
  level: oneOf("SOUNDFERRY_LOG_LEVEL", "info", "The level.", ["info", "debug", "silent"]),
};

function problemsOf(given: Record<string, string>): readonly string[] {
  try {
    readSettings(TABLE, [given]);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

test("[K3] a missing or empty setting gets the table's default", () => {
  const own = { port: 8080, lease: 300, folder: undefined, level: "info" };
  expect(readSettings(TABLE, [])).toEqual(own);
  expect(readSettings(TABLE, [{ SOUNDFERRY_PORT: "", SOUNDFERRY_DATA: undefined }])).toEqual(own);
});

test("[K3] the first source with a text wins", () => {
  const flags = { SOUNDFERRY_PORT: "1", SOUNDFERRY_DATA: "" };
  const environment = { SOUNDFERRY_PORT: "2", SOUNDFERRY_DATA: "/data", SOUNDFERRY_LEASE_S: "9" };
  const stored = { SOUNDFERRY_LEASE_S: "10", SOUNDFERRY_LOG_LEVEL: "silent" };
  expect(readSettings(TABLE, [flags, environment, stored])).toEqual({
    port: 1,
    folder: "/data",
    lease: 9,
    level: "silent",
  });
});

test("[K3] reports every problem at once, each in a sentence", () => {
  const read = () =>
    readSettings(TABLE, [{ SOUNDFERRY_PORT: "70000", SOUNDFERRY_LOG_LEVEL: "loud" }]);
  const problems = [
    'SOUNDFERRY_PORT must be a whole number from 0 to 65535, not "70000".',
    'SOUNDFERRY_LOG_LEVEL must be one of info, debug, silent, not "loud".',
  ];
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(expect.objectContaining({ name: "SettingsError", problems }));
  expect(read).toThrow(problems.join("\n"));
});

test("[K3] reports a reader that throws something other than an Error", () => {
  const odd = {
    ...TABLE.folder,
    read: () => {
      // oxlint-disable-next-line typescript/only-throw-error -- that is what is tried
      throw "must be a folder.";
    },
  };
  expect(() => readSettings({ odd }, [{ SOUNDFERRY_DATA: "x" }])).toThrow(
    "SOUNDFERRY_DATA must be a folder.",
  );
});

describe("[K3] a whole number", () => {
  test.each(["0", "1", " 65535 ", "007"])("is accepted: %j", (text) => {
    expect(readSettings(TABLE, [{ SOUNDFERRY_PORT: text }]).port).toBe(Number(text));
  });

  test.each(["-1", "65536", "1.5", "1e3", "0x10", "port", " ", "1 2", "٣", "12px", "+1"])(
    "is refused: %j",
    (text) => {
      expect(problemsOf({ SOUNDFERRY_PORT: text })).toEqual([
        `SOUNDFERRY_PORT must be a whole number from 0 to 65535, not "${text}".`,
      ]);
    },
  );

  test("defaults to the range 1 to MAX_SAFE_INTEGER", () => {
    expect(readSettings(TABLE, [{ SOUNDFERRY_LEASE_S: "1" }]).lease).toBe(1);
    const most = String(Number.MAX_SAFE_INTEGER);
    expect(readSettings(TABLE, [{ SOUNDFERRY_LEASE_S: most }]).lease).toBe(Number(most));
    for (const text of ["0", "9007199254740992"]) {
      expect(problemsOf({ SOUNDFERRY_LEASE_S: text })).toEqual([
        `SOUNDFERRY_LEASE_S must be a whole number from 1 to ${most}, not "${text}".`,
      ]);
    }
  });
});

test("[K3] an option must match one of its words exactly", () => {
  expect(readSettings(TABLE, [{ SOUNDFERRY_LOG_LEVEL: "debug" }]).level).toBe("debug");
  for (const text of ["Debug", "deb", "info,debug"]) {
    expect(problemsOf({ SOUNDFERRY_LOG_LEVEL: text })).toHaveLength(1);
  }
});

test("[K3] a setting keeps its help text", () => {
  expect(TABLE.folder).toMatchObject({
    variable: "SOUNDFERRY_DATA",
    meaning: "The folder.",
    fallbackText: "depends on the machine",
  });
  expect(TABLE.port).toMatchObject({ variable: "SOUNDFERRY_PORT", fallback: 8080 });
  expect(TABLE.level).toMatchObject({ meaning: "The level.", fallback: "info" });
  expect(plainText("SOUNDFERRY_NAME", "x", "A name.")).not.toHaveProperty("fallbackText");
});

test("[K3] a setting's flag is its variable in lower case with hyphens", () => {
  expect(flagOf("SOUNDFERRY_MAX_OPEN_FILES")).toBe("max-open-files");
});

test("a timestamp is in UTC with milliseconds", () => {
  expect(timeText(Date.UTC(2026, 0, 31, 12, 0, 0, 7))).toBe("2026-01-31T12:00:00.007Z");
});

test("[S7] remaining seconds are rounded up, and 0 once the time has passed", () => {
  const left = [10_000, 9001, 9000, 1, 0, -1, -5000].map((ms) => secondsUntil(50_000 + ms, 50_000));
  expect(left).toEqual([10, 10, 9, 1, 0, 0, 0]);
});

test.each(["localhost", "relay.localhost", "127.0.0.1", "127.18.29.130", "[::1]"])(
  "the host %s is this computer",
  (hostname) => {
    expect(isThisComputer(hostname)).toBe(true);
  },
);

test.each(
  (
    "relay.example localhost.example notlocalhost 1270.0.0.1 10.127.0.1 127 " +
    "127.evil.example 127.0.0.1.example 10.127.0.0.1 [::11] [fe80::1] x[::1] [::1].example"
  ).split(" "),
)("the host %s is another computer", (hostname) => {
  expect(isThisComputer(hostname)).toBe(false);
});

test("[M4] a gain is from -70 to +24 dB, and a tempo from 20 to 999 BPM", () => {
  expect([MIN_GAIN_DB, MAX_GAIN_DB, MIN_BPM, MAX_BPM]).toEqual([-70, 24, 20, 999]);
});

test("[S1][S3][S4] a package is in one of six states", () => {
  const six = "uploading waiting imported partial failed expired";
  expect(PACKAGE_STATUSES).toEqual(six.split(" "));
});

test("the version in the code matches package.json", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(text)).toMatchObject({ version: VERSION });
});
