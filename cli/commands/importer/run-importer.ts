import type { Command } from "commander";
import { type RunningImporter, startImporter } from "../../../addon/control/open-importer.ts";
import { buildLiveChecker } from "../../../addon/live-check/live-checker-of.ts";
import { importerSettings, type ImporterSettings } from "../../../addon/settings.ts";
import { SAVING_HOST } from "../../../core/protocol/package-status.ts";
import type { PanelHost } from "../../../core/protocol/panel-api.ts";
import type { ImporterState } from "../../../addon/state/importer-state.ts";
import { VERSION } from "../../../core/version.ts";
import { commandLine } from "../../command.ts";
import { formatFacts } from "../../format.ts";
import { namedHost, namedOwnHost, ownHostNames, previewSessionIn } from "../../hosts.ts";
import { noteUnflushable } from "../../note-unflushable.ts";
import { type Output, outputFor } from "../../output.ts";
import { panelPage } from "../../pages.ts";
import { flagsGiven } from "../../setting-flags.ts";
import { stopSignal, untilAborted } from "../../stop-signal.ts";
import { findLog } from "../live/live-script.ts";
import { readSettingsOfImporter, whyThere, withOwnHosts } from "./importer-options.ts";
import { logChanges } from "./log-changes.ts";
import { openPanel, openRunningPanel } from "./open-panel.ts";

/** Runs the importer until it is stopped. */
export async function runImporter(
  flags: { readonly json?: boolean; readonly open?: boolean },
  command: Command,
): Promise<void> {
  const own = namedOwnHost(namedHost(command));
  const given = flagsGiven(command, importerSettings());
  const output = outputFor({ ...flags, onOneLine: true });
  const { open: opensPanel = false } = flags;
  if (opensPanel && (await openRunningPanel(given, output))) return;
  const settings = await readSettingsOfImporter(given);
  const stop = stopSignal();
  await using running = await startImporter({
    ...(await withOwnHosts(settings, ownHostNames(own))),
    buildLiveChecker: (soundsFolder) =>
      buildLiveChecker({ soundsFolder, folders: [settings.dataFolder], findLog }),
    panelPage,
  });
  giveFacts(settings, running, { output, opensPanel });
  await noteUnflushable([settings.dataFolder, settings.soundsFolder], output);
  await using _browser = opensPanel ? await openPanel(running, output) : undefined;
  using _lines = logChanges(running.importer, output);
  await untilAborted(stop);
  output.say("Stopping the importer.");
}

interface FactsOptions {
  readonly output: Output;
  readonly opensPanel: boolean;
}

function giveFacts(
  settings: ImporterSettings,
  running: RunningImporter,
  { output, opensPanel }: FactsOptions,
): void {
  const { importer } = running;
  output.give(
    {
      relay_url: settings.relayUrl,
      ...importerJson(settings, running),
      ...foldersJson(settings),
    },
    formatFacts(`Soundferry ${VERSION}: the importer is running. Ctrl-C stops it.`, [
      ["Relay", settings.relayUrl ?? "none; enter its address in the panel"],
      ["Panel", panelAddress(running, opensPanel)],
      ["Pair an app", `in the panel, or with ${commandLine(["importer", "code"])}`],
      ...importerFacts(settings, importer.state),
    ]),
  );
}

/** Returns the panel's address for people: without its secret where the browser opens it (rule N29). */
export function panelAddress({ port, panelUrl }: RunningImporter, opensPanel: boolean): string {
  return opensPanel ? `http://127.0.0.1:${port}/` : panelUrl;
}

/** Returns an importer's panel, name and host as `--json` prints them. */
export function importerJson(
  { deviceName }: ImporterSettings,
  { importer, port, panelUrl }: RunningImporter,
): object {
  const { host } = importer.state;
  return { panel_url: panelUrl, panel_port: port, device_name: deviceName, host: host.name };
}

/** Returns an importer's folders as `--json` prints them. */
export function foldersJson(settings: ImporterSettings): object {
  return {
    importer_data_folder: settings.dataFolder,
    sounds_folder: settings.soundsFolder,
    inbox_folder: settings.inboxFolder,
    preview_session: previewSessionIn(settings),
  };
}

/** Returns an importer's name, host and folders, for people. */
export function importerFacts(
  settings: ImporterSettings,
  { host, soundsFolder }: Pick<ImporterState, "host" | "soundsFolder">,
): readonly (readonly [string, string])[] {
  return [
    ["This computer", settings.deviceName],
    ["Imports into", formatOwnHost(host)],
    ["Sounds", [settings.soundsFolder, whyThere(soundsFolder)].filter(Boolean).join(". ")],
    ["Inbox", settings.inboxFolder],
    ["Preview host", previewSessionIn(settings)],
    ["Importer's data", settings.dataFolder],
  ];
}

/** Formats the host that imports go into, such as `Live 12.1.5 Standard`. */
function formatOwnHost({ name, label, trouble, instead }: PanelHost): string {
  if (name === SAVING_HOST && instead !== null) return `${label}, until Live answers`;
  return trouble === null ? label : `${label}, once it answers`;
}
