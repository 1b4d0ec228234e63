import type { Command } from "commander";
import { nearestOf } from "./nearest-of.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

/**
 * Refuses a subcommand that doesn't exist, at any level, and suggests the one that was probably meant.
 * Commander itself suggests only where a command has subcommands and nothing else to do.
 * @throws {CommanderError} after writing the sentence to stderr
 */
export async function refuseMisspelt(program: Command, words: readonly string[]): Promise<void> {
  let command = program;
  for (let at = 0; at < words.length && command.commands.length > 0; at += 1) {
    const word = words[at] ?? "";
    const found = command.commands.find((each) => each.name() === word);
    if (found !== undefined) command = found;
    else if (!word.startsWith("-")) {
      if (word === "help" && command === program) continue;
      return refuse(command, word, await meantBy(word, command, program));
    } else {
      const [flag] = word.split("=");
      const option = command.options.find(({ long, short }) => flag === long || flag === short);
      // What follows an unknown option may be its value.
      if (option === undefined) return;
      if (!option.isBoolean() && !word.includes("=")) at += 1;
    }
  }
}

function refuse(command: Command, word: string, nearest: string | undefined): never {
  const suggestion = nearest === undefined ? "" : `\n(Did you mean ${nearest}?)`;
  return command.error(`error: unknown command '${word}'${suggestion}`, {
    code: "commander.unknownCommand",
  });
}

async function meantBy(
  word: string,
  command: Command,
  program: Command,
): Promise<string | undefined> {
  const nearest = nearestOf(word, namesIn(command));
  return nearest ?? (command === program ? nearestOf(word, await nestedNames()) : undefined);
}

function namesIn(command: Command): readonly string[] {
  return command.commands.map((each) => each.name());
}

/** `importer packages` and the like, for a name whose command was left out. */
async function nestedNames(): Promise<readonly string[]> {
  const names = await Promise.all(
    Object.entries(SUBCOMMANDS).map(async ([name, { load }]) =>
      namesIn(await load()).map((each) => `${name} ${each}`),
    ),
  );
  return names.flat();
}
