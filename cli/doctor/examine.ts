import { homedir } from "node:os";
import { join } from "node:path";
import { KNOWN_FOLDERS_FILE } from "../../addon/disk/known-folders.ts";
import { describeSoundsFolder } from "../../addon/disk/sounds-place.ts";
import type { LiveScript } from "../../addon/live-setup/live-script.ts";
import { type LiveStep, stepsOf } from "../../addon/live-setup/live-steps.ts";
import { ScriptError } from "../../addon/live-setup/script-error.ts";
import type { ImporterSettings } from "../../addon/settings.ts";
import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import { SettingsError, type SettingsSource } from "../../core/settings.ts";
import { readRelaySettings, type RelaySettings } from "../../relay/settings.ts";
import { readSettingsUntouched, whyThere } from "../commands/importer/importer-options.ts";
import { formatAdvice, openLiveScript } from "../commands/live/live-script.ts";
import { checkFolder } from "./check-folder.ts";
import { checkLock } from "./check-lock.ts";
import { checkNode } from "./check-node.ts";
import { checkPort } from "./check-port.ts";
import { askHello, checkRelay } from "./check-relay.ts";
import { checkGuesses, checkSettingNames } from "./check-settings.ts";
import { type Finding, ok, wrong } from "./finding.ts";

/** Room for a database and some logs, without sounds. */
const SMALL_ROOM_BYTES = 10_000_000;

/** Checks everything that relay and importer need on this computer; changes nothing. */
export async function examine(flags: SettingsSource): Promise<readonly Finding[]> {
  const relay = await readSettingsOrFindings("relay-settings", () =>
    readRelaySettings({ flags, environment: process.env }),
  );
  const importer = await readSettingsOrFindings("importer-settings", () =>
    readSettingsUntouched(flags),
  );
  return [
    ...checkSettingNames(process.env),
    checkNode(process.versions.node, process.env["SOUNDFERRY_INSTALLED_NODE"]),
    ...("settings" in relay ? await examineRelay(relay.settings) : relay.findings),
    ...("settings" in importer ? await examineImporter(importer.settings) : importer.findings),
  ];
}

async function examineRelay(settings: RelaySettings): Promise<readonly Finding[]> {
  const { host, port, tlsCert, dataFolder, minFreeBytes } = settings;
  const scheme = tlsCert === undefined ? "http" : "https";
  const address = `${scheme}://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`;
  return [
    await checkFolder({
      check: "relay-data",
      name: "The relay's data folder",
      folder: dataFolder,
      variable: "SOUNDFERRY_DATA",
      neededBytes: minFreeBytes + MAX_PACKAGE_BYTES,
    }),
    await checkPort({
      check: "relay-port",
      name: "The relay's port",
      host,
      port,
      variable: "SOUNDFERRY_PORT",
      recognize: () =>
        askHello(address).then(
          ({ version }) => `a Soundferry relay is running there (version ${version})`,
          () => undefined,
        ),
    }),
    checkGuesses(settings),
  ];
}

async function examineImporter(settings: ImporterSettings): Promise<readonly Finding[]> {
  const { dataFolder, soundsFolder, panelPort, relayUrl } = settings;
  const lock = await checkLock(dataFolder);
  return [
    await checkFolder({
      check: "importer-data",
      name: "The importer's data folder",
      folder: dataFolder,
      variable: "SOUNDFERRY_IMPORTER_DATA",
      neededBytes: SMALL_ROOM_BYTES,
    }),
    lock.finding,
    await checkFolder({
      check: "sounds",
      name: "The sounds folder",
      folder: soundsFolder,
      variable: "SOUNDFERRY_SOUNDS",
      neededBytes: MAX_PACKAGE_BYTES,
      knownFolders: join(dataFolder, KNOWN_FOLDERS_FILE),
      because: whyThere(describeSoundsFolder(settings, homedir())),
    }),
    await checkPort({
      check: "panel-port",
      name: "The panel's port",
      host: "127.0.0.1",
      port: panelPort,
      variable: "SOUNDFERRY_PANEL_PORT",
      recognize: async (pid) =>
        pid !== undefined && pid === lock.running?.pid
          ? "the importer is running there"
          : undefined,
    }),
    ...(await checkLive(openLiveScript(settings))),
    ...(relayUrl === null ? [] : await checkRelay(relayUrl)),
  ];
}

/** Reads settings; each problem becomes a finding. */
async function readSettingsOrFindings<Settings>(
  check: string,
  read: () => Settings | Promise<Settings>,
): Promise<{ readonly settings: Settings } | { readonly findings: readonly Finding[] }> {
  try {
    return { settings: await read() };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const advice = "Correct that setting; docs/rules/command-line.md lists them all.";
    return { findings: error.problems.map((sentence) => wrong(check, sentence, advice)) };
  }
}

const STATES = { done: "ok", later: "note", wrong: "wrong" } as const;

/** Checks each step on the way to Live's control surface; one line on a computer without Live (rule H20). */
async function checkLive(script: Pick<LiveScript, "status">): Promise<readonly Finding[]> {
  try {
    const steps = stepsOf(await script.status());
    if (steps.length === 0) {
      return [ok("live", "Ableton Live wasn't found on this computer; its checks are skipped.")];
    }
    return steps.map(findingOf);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return [wrong("live-script", error.message, "Correct that, then run this again.")];
  }
}

function findingOf({ step, state, sentence, advice }: LiveStep): Finding {
  const finding = { check: `live-${step}`, state: STATES[state], sentence };
  return advice === undefined ? finding : { ...finding, advice: formatAdvice(advice) };
}
