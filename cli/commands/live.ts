import type { Command } from "commander";
import { importerSettings } from "../../addon/settings.ts";
import { readSettings, type SettingsOf, type SettingsSource } from "../../core/settings.ts";
import { newCommand, withJson, withSubcommands } from "../command.ts";
import { flagsGiven, withSettings } from "../setting-flags.ts";

const { dataFolder, liveLibrary } = importerSettings();
/** The settings that `soundferry live` has flags for, two of the importer's. */
const FLAGS = { dataFolder, liveLibrary };

/** `soundferry live`: Live's control surface on this computer (rules K2, K5, H20, H21). */
export function liveCommand(): Command {
  const command = newCommand(
    "live",
    "Installs Soundferry's control surface, a script in Live's User Library. With it, loops play in exact " +
      "time in every edition of Live.",
  );
  const subcommands = [
    subcommand(
      "install",
      "Copies the control surface into Live's User Library and says what to choose.",
      async () => (await loadRuns()).runInstall,
    ),
    subcommand(
      "uninstall",
      "Removes what install put into Live's User Library, and nothing else.",
      async () => (await loadRuns()).runUninstall,
    ),
    subcommand(
      "status",
      "Says whether the control surface is installed and current, and whether Live runs it.",
      async () => (await loadRuns()).runStatus,
    ),
    subcommand(
      "check",
      "Tries in about two minutes what the running Live does, in a Set without clips, and writes a report that " +
        "can be sent. All that it makes in the Set is removed again.",
      async () => (await loadRuns()).runLiveCheck,
    ).option("--output <file>", "where to write the report (default: soundferry-live-report.json)"),
  ];
  return withSettings(withJson(withSubcommands(command, subcommands)), FLAGS);
}

type Run = (
  settings: SettingsOf<typeof FLAGS>,
  flags: { readonly json?: boolean },
  given: SettingsSource,
) => Promise<void>;

function subcommand(name: string, description: string, load: () => Promise<Run>): Command {
  return newCommand(`live ${name}`, description).action(async (_flags, command: Command) => {
    const run = await load();
    const given = flagsGiven(command, FLAGS);
    await run(readSettings(FLAGS, [given, process.env]), command.optsWithGlobals(), given);
  });
}

function loadRuns() {
  return import("./live/run-live.ts");
}
