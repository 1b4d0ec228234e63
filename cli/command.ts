import { Command } from "commander";

/**
 * Creates a command that throws where commander would end the process.
 * @param words its full name, such as `importer code`; empty for the top level
 */
export function newCommand(words: string, description: string): Command {
  const name = words.split(" ").at(-1) || "soundferry";
  return new Command(name)
    .description(description)
    .exitOverride()
    .helpCommand(false)
    .showHelpAfterError(`Try: ${commandLine([words, "--help"].filter(Boolean))}`);
}

/** A shell line that runs the command with these words, here in a checkout or where it is installed. */
export function commandLine(words: readonly string[]): string {
  const isCheckout = import.meta.filename.endsWith(".ts");
  const start = isCheckout ? ["npm", "run", "--silent", "soundferry", "--"] : ["soundferry"];
  return [...start, ...words].join(" ");
}

/** Adds `--json`. */
export function withJson(command: Command): Command {
  return command.option("--json", "print exactly one JSON value on stdout");
}
