import { type Command, Option } from "commander";
import { importerSettings } from "../../addon/settings.ts";
import { parsePairingCode } from "../../core/protocol/pairing-code.ts";
import type { SettingsTable } from "../../core/settings.ts";
import { RELAY_SETTINGS } from "../../relay/settings.ts";
import { newCommand, withJson, withOpen } from "../command.ts";
import { WrongUse } from "../fail.ts";
import {
  isFileHost,
  isOwnHost,
  ONLY_IMPORT_WRITES,
  OWN_HOST_WORDS,
  type OwnHostName,
  PRETENDING_HOST,
} from "../hosts.ts";
import { flagsGiven, withSettings } from "../setting-flags.ts";
import { keepYoungMemorySmall, startInLittleMemory } from "../young-memory.ts";
import { type Outcome, OUTCOMES } from "./up/pretend.ts";

interface UpFlags {
  readonly host?: UpHost;
  readonly autoImport?: boolean;
  readonly code?: string;
  readonly pretend?: Outcome;
  readonly lan?: boolean;
  readonly open?: boolean;
  readonly json?: boolean;
}

/** The values of `--host` of `up`: where to import, the relay's address, or both when it is given twice. */
interface UpHost {
  readonly own?: OwnHostName;
  readonly relayAddress?: string;
}

/** `soundferry up`: relay and importer in one process (rule K2). */
export function upCommand(): Command {
  const command = newCommand(
    "up",
    "Starts everything on this computer (relay, importer, panel) and runs until stopped (Ctrl-C). " +
      "With --json it prints one line with addresses, folders and the pairing code, once all is ready.",
  )
    .addOption(hostOption())
    .option("--auto-import", "import automatically on arrival")
    .option("--code <code>", "with --auto-import: the pairing code, valid again after each use")
    .option(
      "--lan",
      "let devices in this network send: the relay listens on its private addresses, too",
    )
    .addOption(pretendOption());
  withOpen(command).option("--no-open", "don't; for the app, which opens it by default");
  return withSettings(withJson(command), RELAY_SETTINGS, ownImporterSettings()).action(up);
}

function hostOption(): Option {
  const { variable, fallback } = RELAY_SETTINGS.host;
  return new Option(
    "--host <host>",
    `${OWN_HOST_WORDS}: where to import; Live while it answers, or else the preview, if none is named. ` +
      `Another value is the relay's address to listen on [${variable}: ${fallback}]`,
  ).argParser((text: string, before: UpHost | undefined): UpHost => {
    if (isOwnHost(text)) return { ...before, own: text };
    if (!isFileHost(text)) return { ...before, relayAddress: text };
    throw new WrongUse(`up imports into ${OWN_HOST_WORDS}. ${ONLY_IMPORT_WRITES}`);
  });
}

function pretendOption(): Option {
  return new Option(
    "--pretend <outcome>",
    "for apps in development: what happens to packages, without Live",
  ).choices(OUTCOMES);
}

/** The importer's settings without the relay's address, which `up` sets. */
function ownImporterSettings(): SettingsTable {
  const { relayUrl: _, ...others } = importerSettings();
  return others;
}

async function up(flags: UpFlags, command: Command): Promise<void> {
  const { host = {}, autoImport = false, open = false, json = false, lan = false, pretend } = flags;
  if (pretend !== undefined && host.own !== undefined && host.own !== PRETENDING_HOST) {
    throw new WrongUse(`--pretend imports into the preview. Leave out --host ${host.own}.`);
  }
  const fixedCode = parseFixedCode(flags);
  const given = {
    ...flagsGiven(command, RELAY_SETTINGS, ownImporterSettings()),
    [RELAY_SETTINGS.host.variable]: host.relayAddress,
  };
  keepYoungMemorySmall();
  const onReady = startInLittleMemory();
  const { runUp } = await import("./up/run-up.ts");
  const how = { host: host.own, autoImport, fixedCode, pretend, lan, json, opensPanel: open };
  await runUp(given, { ...how, onReady });
}

function parseFixedCode({ autoImport, code }: UpFlags): string | undefined {
  if (code === undefined) return undefined;
  if (autoImport !== true) throw new WrongUse("--code needs --auto-import.");
  const parsed = parsePairingCode(code);
  if (parsed !== undefined) return parsed;
  throw new WrongUse("--code must be six of 23456789ABCDEFGHJKMNPQRSTUVWXYZ, such as K7MQ2X.");
}
