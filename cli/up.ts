import type { Command } from "commander";
import { importerSettings } from "../addon/settings.ts";
import { parsePairingCode } from "../core/protocol/pairing-code.ts";
import type { SettingsTable } from "../core/settings.ts";
import { RELAY_SETTINGS } from "../relay/settings.ts";
import { newCommand, withJson, withOpen } from "./command.ts";
import { WrongUse } from "./fail.ts";
import { flagsGiven, withSettings } from "./setting-flags.ts";

interface UpFlags {
  readonly autoImport?: boolean;
  readonly code?: string;
  readonly open?: boolean;
  readonly json?: boolean;
}

/** `soundferry up`: relay, importer and preview host in one process (rule K2). */
export function upCommand(): Command {
  const command = newCommand(
    "up",
    "Starts everything on this computer (relay, importer, preview host) and runs until stopped (Ctrl-C). " +
      "With --json it prints one line with addresses, folders and the pairing code, once all is ready.",
  )
    .option("--auto-import", "import automatically on arrival")
    .option("--code <code>", "with --auto-import: the pairing code, valid again after each use");
  withOpen(command).option("--no-open", "don't; for the app, which opens it by default");
  return withSettings(withJson(command), RELAY_SETTINGS, ownImporterSettings()).action(up);
}

/** The importer's settings without the relay's address, which `up` sets. */
function ownImporterSettings(): SettingsTable {
  const { relayUrl: _, ...others } = importerSettings();
  return others;
}

async function up(flags: UpFlags, command: Command): Promise<void> {
  const { autoImport = false, json = false, open = false } = flags;
  const fixedCode = parseFixedCode(flags);
  const given = flagsGiven(command, RELAY_SETTINGS, ownImporterSettings());
  const { runUp } = await import("./running/run-up.ts");
  await runUp(given, { autoImport, fixedCode, json, opensPanel: open });
}

function parseFixedCode({ autoImport, code }: UpFlags): string | undefined {
  if (code === undefined) return undefined;
  if (autoImport !== true) throw new WrongUse("--code needs --auto-import.");
  const parsed = parsePairingCode(code);
  if (parsed !== undefined) return parsed;
  throw new WrongUse("--code must be six of 23456789ABCDEFGHJKMNPQRSTUVWXYZ, such as K7MQ2X.");
}
