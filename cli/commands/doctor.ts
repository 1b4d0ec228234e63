import type { Command } from "commander";
import { importerSettings } from "../../addon/settings.ts";
import type { SettingsSource } from "../../core/settings.ts";
import { countOf } from "../../core/text/count-of.ts";
import { RELAY_SETTINGS } from "../../relay/settings.ts";
import { newCommand, withJson } from "../command.ts";
import type { Finding } from "../doctor/finding.ts";
import { WrongUse } from "../fail.ts";
import { outputFor } from "../output.ts";
import { flagsGiven, withSettings } from "../setting-flags.ts";

/** `soundferry doctor`: finds problems on this computer and says what to do (rule K2). */
export function doctorCommand(): Command {
  const command = newCommand(
    "doctor",
    "Checks Node, folders, disk, ports, the importer's lock, the relay and the clocks, and says what to do. " +
      "Changes nothing. With --relay, examines that relay instead, from outside, with a computer of its own that it " +
      "removes again. Exits 1 when something is wrong.",
  )
    .option("--relay <url>", "examine the relay at this address, and not this computer")
    .option("--quick", "with --relay: leave out what takes a minute");
  return withSettings(withJson(command), RELAY_SETTINGS, importerSettings()).action(runDoctor);
}

interface DoctorFlags {
  readonly json?: boolean;
  readonly relay?: string;
  readonly quick?: boolean;
}

async function runDoctor(flags: DoctorFlags, command: Command): Promise<void> {
  const given = flagsGiven(command, RELAY_SETTINGS, importerSettings());
  const findings = await (flags.relay === undefined
    ? examineThisComputer(given, flags)
    : examineRelayAt(flags.relay, given, flags));
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  const notes = findings.filter(({ state }) => state === "note").length;
  outputFor(flags).give(
    { ok: wrong === 0, findings },
    [...findings.map(formatFinding), "", formatVerdict(wrong, notes)].join("\n"),
  );
  if (wrong > 0) process.exitCode = 1;
}

async function examineThisComputer(
  given: SettingsSource,
  { quick = false }: DoctorFlags,
): Promise<readonly Finding[]> {
  if (quick) throw new WrongUse("--quick is for --relay.");
  const { examine } = await import("../doctor/examine.ts");
  return examine(given);
}

async function examineRelayAt(
  address: string,
  given: SettingsSource,
  flags: DoctorFlags,
): Promise<readonly Finding[]> {
  const { visitRelay } = await import("../doctor/relay/examine-relay.ts");
  const output = outputFor(flags);
  const say = (line: string) => output.say(line);
  return visitRelay({ address, given, isQuick: flags.quick === true, say });
}

/** Says that all is well only where nothing else is said. */
export function formatVerdict(wrong: number, notes: number): string {
  if (wrong === 0 && notes === 0) return "No problems found.";
  const noted = notes === 0 ? "" : countOf(notes, "note");
  if (wrong === 0) return `Nothing stops Soundferry, but see the ${noted} above.`;
  return `${countOf(wrong, "problem")}${noted === "" ? "" : ` and ${noted}`} found.`;
}

function formatFinding({ state, sentence, advice }: Finding): string {
  const line = `${state.padEnd(5)}  ${sentence}`;
  return advice === undefined ? line : `${line}\n       → ${advice}`;
}
