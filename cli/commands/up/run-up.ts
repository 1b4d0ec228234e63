import { existsSync } from "node:fs";
import { type RunningImporter, startImporter } from "../../../addon/control/open-importer.ts";
import { buildLiveChecker } from "../../../addon/live-check/live-checker-of.ts";
import type { ImporterSettings } from "../../../addon/settings.ts";
import type { PairingCodeAnswer } from "../../../core/protocol/importer-api.ts";
import { formatPairingCode } from "../../../core/protocol/pairing-code.ts";
import type { SettingsSource } from "../../../core/settings.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { VERSION } from "../../../core/version.ts";
import { buildRelay, type Relay } from "../../../relay/build-relay.ts";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { readRelaySettings, type RelaySettings } from "../../../relay/settings.ts";
import { commandLine } from "../../command.ts";
import { formatFacts } from "../../format.ts";
import { type OwnHostName, ownHostNames, PRETENDING_HOST, previewSessionIn } from "../../hosts.ts";
import { noteUnflushable } from "../../note-unflushable.ts";
import { type Output, outputFor } from "../../output.ts";
import { panelPage, relayPages } from "../../pages.ts";
import { stopSignal, untilAborted } from "../../stop-signal.ts";
import { readSettingsOfImporter, withOwnHosts } from "../importer/importer-options.ts";
import { logChanges } from "../importer/log-changes.ts";
import { findLog } from "../live/live-script.ts";
import { openPanel, openRunningPanel } from "../importer/open-panel.ts";
import {
  followCode,
  formatCode,
  formatCodeAgain,
  formatFixedCode,
} from "../importer/pairing-code.ts";
import {
  foldersJson,
  importerFacts,
  importerJson,
  panelAddress,
} from "../importer/run-importer.ts";
import { dataCommand } from "../relay/relay-data.ts";
import { describeStores, listen } from "../relay/start-relay.ts";
import { lanFacts, lanJson, lanSwitchOf } from "./lan-switch.ts";
import { allowOwnApps, fixPairingCode, keepFixedCode } from "./fixed-code.ts";
import {
  type Outcome,
  OUTCOME_SENTENCES,
  OUTCOME_SETTINGS,
  pretendAtHost,
  pretendAtRelay,
} from "./pretend.ts";

export interface UpRequest {
  /** The host that the command names; without one, Live while it answers, or else the preview (rule K2). */
  readonly host: OwnHostName | undefined;
  readonly autoImport: boolean;
  /** Replaces every new code. */
  readonly fixedCode: string | undefined;
  /** The outcome of every package, for apps in development (rule K16). */
  readonly pretend: Outcome | undefined;
  /** True to let devices in the local network send, this time (rule LAN1). */
  readonly lan: boolean;
  readonly json: boolean;
  readonly opensPanel: boolean;
  /** Called once everything is started. */
  readonly onReady: () => void;
}

/** A package for a new user to send. */
const EXAMPLE = "fixtures/packages/one-shot-kit";

/** @throws {InstanceMismatch} in a musician's words */
async function buildOwnRelay(
  settings: RelaySettings,
  pretend: Outcome | undefined,
): Promise<Relay> {
  try {
    return await buildRelay(settings, { pages: relayPages, ...pretendAtRelay(pretend) });
  } catch (error) {
    if (!(error instanceof InstanceMismatch)) throw error;
    const { dataFolder } = settings;
    throw error.atHome(dataFolder, dataCommand(["adopt"], dataFolder));
  }
}

/** Runs relay and importer until they are stopped. */
export async function runUp(flags: SettingsSource, request: UpRequest): Promise<void> {
  const { fixedCode, pretend, opensPanel } = request;
  const output = outputFor({ json: request.json, onOneLine: true });
  if (opensPanel && (await openRunningPanel(flags, output))) return;
  const relaySettings = readRelaySettings({ flags, environment: environmentOf(pretend) });
  // Read before anything starts, so that every problem is reported at once.
  await readSettingsOfImporter(flags);
  const stop = stopSignal();

  await using relay = await buildOwnRelay(relaySettings, pretend);
  const { url } = await listen(relay, relaySettings);
  const settings = await readSettingsOfImporter({ ...flags, SOUNDFERRY_RELAY_URL: url });
  const lanSwitch = await lanSwitchOf(relay, relaySettings);
  if (request.lan) await lanSwitch.turn(true);
  const host = pretend === undefined ? request.host : PRETENDING_HOST;
  await using running = await startImporter({
    ...(await withOwnHosts(settings, ownHostNames(host, "preview"))),
    autoImport: request.autoImport,
    ...(await pretendAtHost(pretend, previewSessionIn(settings))),
    buildLiveChecker: (soundsFolder) =>
      buildLiveChecker({ soundsFolder, folders: [settings.dataFolder], findLog }),
    panelPage,
    isOwnRelay: true,
    lanSwitch,
    ...(fixedCode !== undefined && {
      replaceCode: () => fixPairingCode(relay, settings, fixedCode),
    }),
  });
  const { importer } = running;
  const code = await importer.pairingCode();
  const shownUrl = relaySettings.baseUrl ?? url;
  giveFacts(
    { url: shownUrl, running, relaySettings, settings, code, fixedCode, pretend, opensPanel },
    output,
  );
  request.onReady();
  await noteUnflushable([settings.dataFolder, settings.soundsFolder], output);
  await using _browser = opensPanel ? await openPanel(running, output) : undefined;
  using _lines = logChanges(importer, output);
  using _own = fixedCode === undefined ? undefined : allowOwnApps(importer, output);
  using _code =
    fixedCode === undefined
      ? followCode(importer, code, (text) => output.say(text))
      : keepFixedCode(importer, {
          shown: code,
          onCode: () => output.say(formatCodeAgain(fixedCode)),
          onTrouble: (error) => output.say(sentenceOf(error)),
        });
  await untilAborted(AbortSignal.any([stop, relay.broken]));
  relay.broken.throwIfAborted();
  output.say("Stopping.");
}

interface UpFacts {
  readonly url: string;
  readonly running: RunningImporter;
  readonly relaySettings: RelaySettings;
  readonly settings: ImporterSettings;
  readonly code: PairingCodeAnswer;
  readonly fixedCode: string | undefined;
  readonly pretend: Outcome | undefined;
  readonly opensPanel: boolean;
}

function giveFacts(facts: UpFacts, output: Output): void {
  const { url, running, relaySettings, settings, code, fixedCode, pretend } = facts;
  const { importer } = running;
  const line = sendLine(url, code.code);
  const stores = describeStores(relaySettings);
  output.give(
    {
      relay_url: url,
      ...code,
      ...importerJson(settings, running),
      relay_data_folder: stores.json.data_folder,
      ...foldersJson(settings),
      ...lanJson(importer.state.lan),
      ...(pretend !== undefined && { pretends: pretend }),
    },
    [
      formatFacts(`Soundferry ${VERSION} is ready. Ctrl-C stops it.`, [
        ["Relay", url],
        ...stores.facts.map(([name, value]) => [`Relay's ${name}`, value] as const),
        ...lanFacts(importer.state.lan),
        ["Panel", panelAddress(running, facts.opensPanel)],
        ...importerFacts(settings, importer.state),
        ...(pretend === undefined ? [] : [["Test mode", OUTCOME_SENTENCES[pretend]] as const]),
      ]),
      "",
      fixedCode === undefined ? formatCode(code) : formatFixedCode(fixedCode),
      "",
      "Send a first package, in another terminal:",
      "",
      `  ${line}`,
      "",
    ].join("\n"),
  );
}

/** A line to paste that pairs and sends a package. */
function sendLine(url: string, code: string): string {
  const folder = existsSync(EXAMPLE) ? EXAMPLE : "<folder>";
  return commandLine(["send", folder, "--relay", url, "--code", `"${formatPairingCode(code)}"`]);
}

/** `up` prints what happens, so the log defaults to warnings. What it pretends wins over all but flags. */
function environmentOf(pretend: Outcome | undefined): SettingsSource {
  return {
    ...process.env,
    ...(pretend !== undefined && OUTCOME_SETTINGS[pretend]),
    SOUNDFERRY_LOG_LEVEL: process.env["SOUNDFERRY_LOG_LEVEL"] || "warn",
  };
}
