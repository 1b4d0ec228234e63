import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { buildImporter } from "../../addon/build-importer.ts";
import { startImporter } from "../../addon/control/open-importer.ts";
import { PreviewHost } from "../../addon/hosts/preview/preview-host.ts";
import { readImporterSettings } from "../../addon/settings.ts";
import { openStoredSettings } from "../../addon/state/stored-settings.ts";
import type { PanelHostSetting, PanelState } from "../../core/protocol/panel-api.ts";
import type { SettingsSource } from "../../core/settings.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import {
  loadPrintingHost,
  loadPrintingHostWithSetting,
  readHostExamples,
  runHostPrograms,
} from "./printing-host.ts";

const PACKAGE = join(import.meta.dirname, "../../fixtures/packages/explicit-warp-and-colours");

function settingsOf(folder: string, environment: SettingsSource = {}) {
  return readImporterSettings({
    environment: {
      SOUNDFERRY_IMPORTER_DATA: join(folder, "importer"),
      SOUNDFERRY_SOUNDS: join(folder, "sounds"),
      SOUNDFERRY_PANEL_PORT: "0",
      ...environment,
    },
  });
}

test("the host of docs/build/hosts.md has about 40 lines and prints its calls", async () => {
  const folder = await temporaryFolder();
  const [source = ""] = await readHostExamples();
  expect(source.split("\n").length).toBeLessThan(45);
  const printed: string[] = [];
  const PrintingHost = await loadPrintingHost(folder);
  const host = new PrintingHost((line) => printed.push(line));
  await mkdir(join(folder, "sounds"));
  await using importer = buildImporter({ settings: settingsOf(folder), host });
  const outcome = await importer.import(PACKAGE);

  expect(outcome.status).toBe("imported");
  expect(printed[0]).toBe(`scene  ${outcome.scene.name}`);
  expect(printed.filter((line) => line.startsWith("track"))).toHaveLength(outcome.tracks.length);
  expect(printed.join("\n")).toContain("warped complex_pro");
  expect(outcome.tracks[0]?.notes).toContain("Printed, not played.");
});

test("the programs of docs/build/hosts.md import packages with it", async () => {
  const folder = await temporaryFolder();
  vi.stubEnv("SOUNDFERRY_IMPORTER_DATA", join(folder, "importer"));
  vi.stubEnv("SOUNDFERRY_SOUNDS", join(folder, "sounds"));
  const log = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    log.mockRestore();
  });
  await runHostPrograms(folder);
  const printed = log.mock.calls.map(([line]) => String(line));
  // The first program prints the outcome; the first and the second import the package.
  expect(printed.filter((line) => line === "imported")).toHaveLength(1);
  expect(printed.filter((line) => line.startsWith("scene  "))).toHaveLength(2);
});

describe("a setting that is added to it, and to no other file", () => {
  /** An importer on the host with its setting, and the panel's calls to it. */
  async function start(folder: string, environment: SettingsSource = {}) {
    const printed: string[] = [];
    const PrintingHost = await loadPrintingHostWithSetting(folder);
    const host = new PrintingHost((line) => printed.push(line));
    const running = await startImporter({ settings: settingsOf(folder, environment), host });
    onTestFinished(() => running.close());
    const call = (method: string, path: string, body?: object) =>
      fetch(`http://127.0.0.1:${running.port}/control/${path}`, {
        method,
        headers: { "x-soundferry-secret": running.secret },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const shown = async () => readHostSettings(await call("GET", "state"));
    const change = async (value: boolean) =>
      (await call("PUT", "host-settings/count", { value })).status;
    const countLines = async () => {
      printed.length = 0;
      await running.importer.import(PACKAGE, { again: true });
      return printed.filter((line) => line.startsWith("sounds "));
    };
    return { ...running, shown, change, countLines };
  }

  test("[K3][N3] is shown, changed, stored, given to the host, and there after a restart", async () => {
    const folder = await temporaryFolder();
    const first = await start(folder);
    const shown = {
      id: "count",
      kind: "switch",
      label: "Print the number of sounds",
      help: "Adds a line with the number of sounds to each scene.",
      value: false,
    };
    expect(await first.shown()).toEqual([shown]);
    expect(await first.countLines()).toEqual([]);
    expect(await first.change(true)).toBe(200);
    expect(await first.shown()).toEqual([{ ...shown, value: true }]);
    expect(openStoredSettings(join(folder, "importer")).settings()).toEqual({
      SOUNDFERRY_COUNT: "on",
    });
    expect(await first.countLines()).toHaveLength(1);
    await first.close();

    const second = await start(folder);
    expect(await second.shown()).toEqual([{ ...shown, value: true }]);
    expect(await second.countLines()).toHaveLength(1);
    expect(await second.change(false)).toBe(200);
    expect(await second.countLines()).toEqual([]);
  });

  test("[K3] starts with its variable's value, which overrides the stored one", async () => {
    const folder = await temporaryFolder();
    openStoredSettings(join(folder, "importer")).storeSetting("SOUNDFERRY_COUNT", "off");
    const { shown, countLines } = await start(folder, { SOUNDFERRY_COUNT: "on" });
    expect(await shown()).toMatchObject([{ value: true }]);
    expect(await countLines()).toHaveLength(1);
  });

  test("[K3] refuses a variable that is neither on nor off, with a sentence", async () => {
    const starting = start(await temporaryFolder(), { SOUNDFERRY_COUNT: "maybe" });
    await expect(starting).rejects.toThrow('SOUNDFERRY_COUNT must be on or off, not "maybe".');
  });

  test("[K3][R7] reaches the host if that is one of several", async () => {
    const folder = await temporaryFolder();
    const PrintingHost = await loadPrintingHostWithSetting(folder);
    const printed: string[] = [];
    const printing = async () => new PrintingHost((line) => printed.push(line));
    await using importer = buildImporter({
      settings: settingsOf(folder, { SOUNDFERRY_COUNT: "on" }),
      host: new PreviewHost(join(folder, "session.json")),
      otherHosts: new Map([["printing", printing]]),
    });
    await importer.import(PACKAGE, { host: "printing" });
    expect(importer.state.host.settings).toEqual([]);
    expect(printed.filter((line) => line.startsWith("sounds "))).toHaveLength(1);
  });
});

/** The settings in the first line of `GET /control/state`. */
async function readHostSettings({ body }: Response): Promise<readonly PanelHostSetting[]> {
  let text = "";
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.includes("\n")) break;
  }
  const state: PanelState = JSON.parse(text.split("\n", 1)[0] ?? "");
  return state.host.settings;
}
