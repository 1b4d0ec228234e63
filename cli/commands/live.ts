import type { Command } from "commander";
import { newCommand, withJson } from "../command.ts";
import { LIVE_SETTINGS } from "./live/live-settings.ts";
import { withSettings } from "../setting-flags.ts";

/** `soundferry live`: Live's control surface on this computer (rule K2). */
export function liveCommand(): Command {
  const command = newCommand(
    "live",
    "Installs Soundferry's control surface, a script in Live's User Library. With it, loops play in exact " +
      "time in every edition of Live 12.",
  );
  const subcommands = [installCommand(), uninstallCommand(), statusCommand(), checkCommand()];
  for (const each of subcommands)
    command.addCommand(each.configureHelp({ showGlobalOptions: true }));
  return withSettings(withJson(command), LIVE_SETTINGS);
}

/** `soundferry live install` (rules H20, K5). */
function installCommand(): Command {
  const description =
    "Copies the control surface into Live's User Library and says what to choose.";
  return newCommand("live install", description).action(
    async (_flags: object, command: Command) => {
      const { runInstall } = await import("./live/run-live.ts");
      await runInstall(command);
    },
  );
}

/** `soundferry live uninstall` (rules H20, K5). */
function uninstallCommand(): Command {
  const description = "Removes what install put into Live's User Library, and nothing else.";
  return newCommand("live uninstall", description).action(
    async (_flags: object, command: Command) => {
      const { runUninstall } = await import("./live/run-live.ts");
      await runUninstall(command);
    },
  );
}

/** `soundferry live status` (rules H20, K5). */
function statusCommand(): Command {
  const description =
    "Says whether the control surface is installed and current, and whether Live runs it.";
  return newCommand("live status", description).action(async (_flags: object, command: Command) => {
    const { runStatus } = await import("./live/run-live.ts");
    await runStatus(command);
  });
}

/** `soundferry live check` (rules H21, K5). */
function checkCommand(): Command {
  const description =
    "Tries in about two minutes what the running Live does, in a Set without clips, and writes a report that " +
    "can be sent. All that it makes in the Set is removed again.";
  return newCommand("live check", description)
    .option("--output <file>", "where to write the report (default: soundferry-live-report.json)")
    .action(async (flags: { readonly output?: string }, command: Command) => {
      const { runCheckCommand } = await import("./live/run-live.ts");
      await runCheckCommand(flags, command);
    });
}
