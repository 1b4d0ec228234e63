import { Command } from "commander";

/**
 * A command that throws where commander would end the process.
 * @param words how it is called, such as `importer code`; empty for the top
 */
export function newCommand(words: string, description: string): Command {
  const name = words.split(" ").at(-1) || "soundferry";
  return new Command(name)
    .description(description)
    .exitOverride()
    .helpCommand(false)
    .showHelpAfterError(`Try: ${commandLine([words, "--help"].filter(Boolean))}`);
}

/** A line that runs the command again: as it is in a checkout, short where it is installed. */
export function commandLine(words: readonly string[]): string {
  const isCheckout = import.meta.filename.endsWith(".ts");
  const start = isCheckout ? ["npm", "run", "--silent", "soundferry", "--"] : ["soundferry"];
  return [...start, ...words].join(" ");
}

/** Adds `--json`. */
export function withJson(command: Command): Command {
  return command.option("--json", "print exactly one JSON value on stdout");
}
