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
    "Starts only the relay and runs until stopped (Ctrl-C); running uploads then get 10 s to finish. " +
      "With --json it prints one line with its addresses, once it is ready. The log goes to stderr.",
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
  output.say("Stopping the relay.");
}
