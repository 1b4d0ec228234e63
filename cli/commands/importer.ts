import type { Command } from "commander";
import { importerSettings } from "../../addon/settings.ts";
import { newCommand, withJson, withOpen, withSubcommands } from "../command.ts";
import { hostOption } from "../hosts.ts";
import { withSettings } from "../setting-flags.ts";
import { keepYoungMemorySmall } from "../young-memory.ts";
import {
  allowCommand,
  appsCommand,
  codeCommand,
  denyCommand,
  dismissCommand,
  packagesCommand,
  unpairCommand,
} from "./importer/ask-commands.ts";
import { importCommand } from "./importer/import-command.ts";

/** `soundferry importer`: the importer alone, and its subcommands for scripts (rules K2, K5). */
export function importerCommand(): Command {
  const command = newCommand(
    "importer",
    "Starts only the importer and runs until stopped (Ctrl-C). With --json " +
      "it prints one line with its addresses and folders. The subcommands use the importer that " +
      "runs on the same data folder; if none is running, they do the work themselves.",
  )
    .addOption(hostOption())
    .action(async (flags: { json?: boolean; open?: boolean }, command: Command) => {
      keepYoungMemorySmall();
      const { runImporter } = await import("./importer/run-importer.ts");
      await runImporter(flags, command);
    });
  const subcommands = [
    codeCommand(),
    appsCommand(),
    allowCommand(),
    denyCommand(),
    unpairCommand(),
    packagesCommand(),
    importCommand(),
    dismissCommand(),
  ];
  return withSettings(
    withJson(withOpen(withSubcommands(command, subcommands))),
    importerSettings(),
  );
}
