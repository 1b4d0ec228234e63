import type { Command } from "commander";
import { VERSION } from "../../core/version.ts";
import { RELAY_SETTINGS, type RelaySettings } from "../../relay/settings.ts";
import { newCommand, withJson, withSubcommands } from "../command.ts";
import { formatFacts } from "../format.ts";
import { outputFor } from "../output.ts";
import { relayPages } from "../pages.ts";
import { withSettings } from "../setting-flags.ts";
import { keepYoungMemorySmall } from "../young-memory.ts";
import { type StopSignals, stopSignals, untilAborted } from "../stop-signal.ts";
import { adoptCommand } from "./relay/adopt.ts";
import { backupCommand } from "./relay/backup.ts";
import { checkCommand } from "./relay/check.ts";
import { migrateCommand } from "./relay/migrate.ts";
import { relaySettingsOf } from "./relay/relay-data.ts";
import { restoreCommand } from "./relay/restore.ts";
import { describeStores, listen } from "./relay/start-relay.ts";

/** Subcommands for operators, in the order of `--help`. */
const SUBCOMMANDS = [checkCommand, backupCommand, restoreCommand, adoptCommand, migrateCommand];

/** `soundferry relay`: the relay alone (rule K2), and what an operator does to its data (rules Z1, Z9, Z10). */
export function relayCommand(): Command {
  const command = newCommand(
    "relay",
    "Starts only the relay and runs until stopped. Ctrl-C stops it at once. SIGTERM stops it once the running uploads " +
      "and imports have ended, after SOUNDFERRY_STOP_GRACE_S at the latest. " +
      "With --json it prints one line with its addresses, once it is ready. The log goes to stderr.",
  );
  const subcommands = SUBCOMMANDS.map((make) => make());
  return withSettings(withJson(withSubcommands(command, subcommands)), RELAY_SETTINGS).action(
    runRelay,
  );
}

async function runRelay({ json = false }: { json?: boolean }, command: Command): Promise<void> {
  const settings = relaySettingsOf(command);
  const output = outputFor({ json, onOneLine: true });
  const stop = stopSignals();
  keepYoungMemorySmall();
  const { buildRelay } = await import("../../relay/build-relay.ts");
  await using relay = await buildRelay(settings, { pages: relayPages, signal: stop.asked }).catch(
    (error: unknown) => {
      // It was stopped while it waited for another relay to leave the folder.
      if (error === stop.asked.reason) return undefined;
      throw error;
    },
  );
  if (relay === undefined) return;
  const { url, metricsUrl } = await listen(relay, settings);
  const baseUrl = settings.baseUrl ?? url;
  const stores = describeStores(settings);
  output.give(
    { url, base_url: baseUrl, metrics_url: metricsUrl ?? null, ...stores.json },
    formatFacts(`Soundferry ${VERSION}: the relay is ready. Ctrl-C stops it.`, [
      ["Relay", baseUrl],
      ...(baseUrl === url ? [] : [["Listens at", url] as const]),
      ...(metricsUrl === undefined ? [] : [["Metrics", metricsUrl] as const]),
      ...stores.facts.map(([name, value]) => [`Its ${name}`, value] as const),
      ["Registration", settings.registration],
    ]),
  );
  await untilAborted(AbortSignal.any([stop.asked, relay.broken]));
  relay.broken.throwIfAborted();
  output.say(formatStopping(stop, settings));
  await relay.drain(stop.now);
  relay.broken.throwIfAborted();
}

function formatStopping({ now }: StopSignals, { stopGraceSeconds }: RelaySettings): string {
  if (now.aborted) return "Stopping the relay.";
  return `Stopping the relay. Running uploads and imports get up to ${stopGraceSeconds} s to finish.`;
}
