import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import {
  findDataFolder,
  type ImporterSources,
  importerSettings,
  type Machine,
  readImporterSettings,
} from "../../addon/settings.ts";
import { SettingsError, type SettingsSource } from "../../core/settings.ts";

const studio: Machine = {
  platform: "linux",
  home: resolve("/home/mia"),
  hostName: "studio.local",
  environment: {},
};

function problemsOf(environment: SettingsSource): readonly string[] {
  try {
    readImporterSettings({ environment }, studio);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe("defaults", () => {
  test("[K3][P1] a fresh machine needs no setting; the device is named after the host, without .local", () => {
    expect(readImporterSettings({ environment: {} }, studio)).toEqual({
      relayUrl: "http://127.0.0.1:4700",
      registrationKey: undefined,
      dataFolder: join(studio.home, ".local", "share", "soundferry", "importer"),
      soundsFolder: join(studio.home, "Music", "Soundferry"),
      inboxFolder: join(studio.home, "Music", "Soundferry", "Inbox"),
      panelPort: 4701,
      deviceName: "studio",
      suggestedRelayUrl: "",
      relayFixedBecause: null,
      isSoundsFolderNew: true,
      soundsFixedBecause: null,
      isInboxGiven: false,
      given: expect.any(Function),
    });
  });

  test.each([
    ["darwin", {}, ["Library", "Application Support"]],
    ["win32", {}, ["AppData", "Roaming"]],
    ["linux", {}, [".local", "share"]],
  ] as const)(
    "[K3] the data folder lies where %s keeps such things",
    (platform, environment, at) => {
      expect(findDataFolder({ environment }, { ...studio, platform })).toBe(
        join(studio.home, ...at, "soundferry", "importer"),
      );
    },
  );

  test.each([
    ["win32", { APPDATA: resolve("/roaming") }, resolve("/roaming")],
    ["linux", { XDG_DATA_HOME: resolve("/xdg") }, resolve("/xdg")],
  ] as const)("[K3] %s may say otherwise", (platform, environment, user) => {
    expect(findDataFolder({ environment }, { ...studio, platform, environment })).toBe(
      join(user, "soundferry", "importer"),
    );
  });

  test("[K3] a moved sounds folder takes its inbox along", () => {
    const environment = { SOUNDFERRY_SOUNDS: "~/Loops" };
    expect(readImporterSettings({ environment }, studio)).toMatchObject({
      soundsFolder: join(studio.home, "Loops"),
      inboxFolder: join(studio.home, "Loops", "Inbox"),
    });
  });
});

describe("which text counts", () => {
  const stored = { SOUNDFERRY_DEVICE_NAME: "stored", SOUNDFERRY_PANEL_PORT: "1" };
  const environment = { SOUNDFERRY_DEVICE_NAME: "environment", SOUNDFERRY_PANEL_PORT: "" };

  test("[K3] the environment wins over what was stored, and an empty text counts as none", () => {
    const settings = readImporterSettings({ environment, stored }, studio);
    expect(settings).toMatchObject({ deviceName: "environment", panelPort: 1 });
  });

  test("[K3] a flag wins over both", () => {
    const flags = { SOUNDFERRY_DEVICE_NAME: "flag" };
    expect(readImporterSettings({ flags, environment, stored }, studio).deviceName).toBe("flag");
  });

  test("[K3] what is stored in the data folder can't move the data folder", () => {
    const stored = { SOUNDFERRY_IMPORTER_DATA: "/elsewhere" };
    const environment = { SOUNDFERRY_IMPORTER_DATA: "/here" };
    expect(readImporterSettings({ environment, stored }, studio).dataFolder).toBe(resolve("/here"));
    expect(readImporterSettings({ environment: {}, stored }, studio).dataFolder).toBe(
      findDataFolder({ environment: {} }, studio),
    );
  });
});

describe("the relay's address", () => {
  const flags = { SOUNDFERRY_RELAY_URL: "https://flag.example" };
  const environment = { SOUNDFERRY_RELAY_URL: "https://environment.example" };
  const stored = { SOUNDFERRY_RELAY_URL: "https://stored.example" };

  test("[N4] a build may leave it open, or suggest one, which is used only when it was chosen", () => {
    const suggestion = { relayUrl: null, suggestedRelayUrl: "https://build.example" };
    const read = (stored: SettingsSource) =>
      readImporterSettings({ environment: {}, stored }, studio, suggestion);
    expect(read({})).toMatchObject(suggestion);
    expect(read(stored)).toMatchObject({ relayUrl: "https://stored.example" });
    expect(
      readImporterSettings({ environment: {} }, studio, { relayUrl: null }).suggestedRelayUrl,
    ).toBe("");
  });

  test("[N4] says what fixes it: a flag or the environment, not a stored value", () => {
    const fixedBecause = (sources: ImporterSources) =>
      readImporterSettings(sources, studio).relayFixedBecause;
    expect(fixedBecause({ environment, stored })).toBe(
      "The relay's address is set by SOUNDFERRY_RELAY_URL.",
    );
    expect(fixedBecause({ flags, environment })).toBe(
      "The relay's address was set when Soundferry was started.",
    );
    expect(fixedBecause({ environment: { SOUNDFERRY_RELAY_URL: "" }, stored })).toBeNull();
  });
});

describe("problems", () => {
  test("[K3] reports every problem at once, with the setting's name and without its secret", () => {
    const problems = problemsOf({
      SOUNDFERRY_RELAY_URL: "ftp://relay.example",
      SOUNDFERRY_PANEL_PORT: "65536",
      SOUNDFERRY_DEVICE_NAME: "\u0000",
      SOUNDFERRY_REGISTRATION_KEY: "very secret",
      SOUNDFERRY_CORRECT_TEMPO: "perhaps",
    });
    expect(problems).toHaveLength(5);
    expect(problems.map((problem) => problem.split(" ", 1)[0])).toEqual([
      "SOUNDFERRY_RELAY_URL",
      "SOUNDFERRY_PANEL_PORT",
      "SOUNDFERRY_DEVICE_NAME",
      "SOUNDFERRY_REGISTRATION_KEY",
      "SOUNDFERRY_CORRECT_TEMPO",
    ]);
    expect(problems.join(" ")).not.toContain("very secret");
  });

  test("[K3] each setting has a one-line description", () => {
    for (const setting of Object.values(importerSettings(studio))) {
      expect(setting.meaning).toMatch(/^[A-Z].{10,90}\.$/);
    }
  });
});
