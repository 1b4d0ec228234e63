import type { Command } from "commander";
import { RELAY_SETTINGS } from "../../relay/settings.ts";
import {
  allowCommand,
  blockCommand,
  denyCommand,
  switchCommand,
  unblockCommand,
} from "../admin/decide-commands.ts";
import { findCommand } from "../admin/find-command.ts";
import {
  appsCommand,
  devicesCommand,
  logCommand,
  packagesCommand,
  statsCommand,
} from "../admin/list-commands.ts";
import { keysCommand } from "../admin/keys-command.ts";
import { quotaCommand } from "../admin/quota-command.ts";
import {
  eraseCommand,
  exportCommand,
  purgeCommand,
  revokeCommand,
} from "../admin/remove-commands.ts";
import { newCommand, withJson, withSubcommands } from "../command.ts";
import { withSettings } from "../setting-flags.ts";

/** The subcommands in the order of `--help`. */
const SUBCOMMANDS = [
  findCommand,
  statsCommand,
  devicesCommand,
  appsCommand,
  packagesCommand,
  blockCommand,
  unblockCommand,
  revokeCommand,
  purgeCommand,
  denyCommand,
  allowCommand,
  exportCommand,
  eraseCommand,
  quotaCommand,
  keysCommand,
  switchCommand,
  logCommand,
];

/** `soundferry admin`: an operator's hand on a relay, also while it runs (rule AD1). */
export function adminCommand(): Command {
  const command = newCommand(
    "admin",
    "Finds and lists what a relay has, blocks, revokes, purges, denies, exports and erases, also while the relay runs: it heeds " +
      "every change within a second. Each change is logged with its time and the user who made it.",
  );
  const subcommands = SUBCOMMANDS.map((make) => make());
  return withSettings(withJson(withSubcommands(command, subcommands)), {
    dataFolder: RELAY_SETTINGS.dataFolder,
  });
}
