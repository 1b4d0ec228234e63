import type { Command } from "commander";
import { importerSettings } from "../addon/settings.ts";
import { RELAY_SETTINGS } from "../relay/settings.ts";
import { newCommand, withJson } from "./command.ts";
import { countOf } from "../core/text/count-of.ts";
import type { Finding } from "./doctor/finding.ts";
import { outputFor } from "./output.ts";
import { flagsGiven, withSettings } from "./setting-flags.ts";

/** `soundferry doctor`: finds problems on this computer and says what to do (rule K2). */
export function doctorCommand(): Command {
  const command = newCommand(
    "doctor",
    "Checks Node, folders, disk, ports, the importer's lock, the relay and the clocks, and says what to do. " +
      "Changes nothing. Exits 1 when something is wrong.",
  );
  return withSettings(withJson(command), RELAY_SETTINGS, importerSettings()).action(runDoctor);
}

async function runDoctor(flags: { readonly json?: boolean }, command: Command): Promise<void> {
  const { examine } = await import("./doctor/examine.ts");
  const findings = await examine(flagsGiven(command, RELAY_SETTINGS, importerSettings()));
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  const notes = findings.filter(({ state }) => state === "note").length;
  outputFor(flags).give(
    { ok: wrong === 0, findings },
    [...findings.map(formatFinding), "", formatVerdict(wrong, notes)].join("\n"),
  );
  if (wrong > 0) process.exitCode = 1;
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
