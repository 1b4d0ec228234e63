import { Command } from "commander";
import { PROGRAM_FORM, type ProgramForm } from "../program/own-files.ts";

/**
 * Creates a command that throws where commander would end the process.
 * @param words its full name, such as `importer code`; empty for the top level
 * @param program the program's own name, if the command is all of it
 */
export function newCommand(words: string, description: string, program?: string): Command {
  const name = program ?? (words.split(" ").at(-1) || "soundferry");
  const line = program ?? commandLine(words === "" ? [] : [words]);
  return new Command(name)
    .description(description)
    .exitOverride()
    .helpCommand(false)
    .showHelpAfterError(`Try: ${line} --help`);
}

/** Returns a shell line that runs the command with these words, in the form that the program has. */
export function commandLine(words: readonly string[]): string {
  return [STARTS[PROGRAM_FORM], ...words].join(" ");
}

const STARTS: Readonly<Record<ProgramForm, string>> = {
  checkout: "npm run --silent soundferry --",
  package: "soundferry",
  app: quoteIfNeeded(process.execPath),
};

/** Quotes a path for a shell. */
export function quoteIfNeeded(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`;
}

/** Adds subcommands, whose help also lists the flags of the command. */
export function withSubcommands(command: Command, subcommands: readonly Command[]): Command {
  for (const each of subcommands) {
    command.addCommand(each.configureHelp({ showGlobalOptions: true }));
  }
  return command;
}

/** Adds `--open`. */
export function withOpen(command: Command): Command {
  return command.option("--open", "open the panel in the browser, also where it runs already");
}

/** Adds `--json`. */
export function withJson(command: Command): Command {
  return command.option("--json", "print exactly one JSON value on stdout");
}
