import type { Command } from "commander";
import { VERSION } from "../core/version.ts";
import { readRelaySettings, RELAY_SETTINGS } from "../relay/settings.ts";
import { newCommand, withJson } from "./command.ts";
import { listen } from "./listen.ts";
import { outputFor } from "./output.ts";
import { flagsGiven, withSettings } from "./setting-flags.ts";
import { formatFacts } from "./format-facts.ts";
import { relayPages } from "./running/pages.ts";
import { stopSignal, untilAborted } from "./stop-signal.ts";

/** `soundferry relay`: the relay alone (rule K2). */
export function relayCommand(): Command {
  const command = newCommand(
    "relay",
    "Starts the relay alone and runs until it is stopped (Ctrl-C); then running uploads get 10 s to end. " +
      "With --json the one value is a line that says where it listens, once it does. The log goes to stderr.",
  );
  return withSettings(withJson(command), RELAY_SETTINGS).action(runRelay);
}

async function runRelay({ json = false }: { json?: boolean }, command: Command): Promise<void> {
  const settings = readRelaySettings({
    flags: flagsGiven(command, RELAY_SETTINGS),
    environment: process.env,
  });
  const output = outputFor({ json, onOneLine: true });
  const stop = stopSignal();
  const { buildRelay } = await import("../relay/build-relay.ts");
  await using relay = await buildRelay(settings, { pages: relayPages });
  const { url, metricsUrl } = await listen(relay, settings);
  const baseUrl = settings.baseUrl ?? url;
  output.give(
    { url, base_url: baseUrl, metrics_url: metricsUrl ?? null, data_folder: settings.dataFolder },
    formatFacts(`Soundferry ${VERSION}: the relay is ready. Ctrl-C stops it.`, [
      ["Relay", baseUrl],
      ...(baseUrl === url ? [] : [["Listens at", url] as const]),
      ...(metricsUrl === undefined ? [] : [["Metrics", metricsUrl] as const]),
      ["Its data", settings.dataFolder],
      ["Registration", settings.registration],
    ]),
  );
  await untilAborted(stop);
  output.say("The relay stops.");
}
