import type { Command } from "commander";
import { SettingsError } from "../core/settings.ts";
import { VERSION } from "../core/version.ts";
import { newCommand } from "./command.ts";
import { nearestOf } from "./nearest-of.ts";
import { outputFor } from "./output.ts";
import { runProgram } from "./run-program.ts";
import { readsSettings } from "./setting-flags.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

/** Runs the `soundferry` command with its arguments and sets the exit status; never rejects. */
export async function runCommand(words: readonly string[]): Promise<void> {
  await runProgram(words, async () => {
    const program = newCommand("", "Carries sounds from any app into Ableton Live.")
      .version(VERSION)
      .helpCommand("help [command]", "show what a command does");
    const wanted = words.find((word) => Object.hasOwn(SUBCOMMANDS, word));
    for (const [name, { summary, load }] of Object.entries(SUBCOMMANDS)) {
      program.addCommand((name === wanted ? await load() : newCommand(name, "")).summary(summary));
    }
    program.hook("preAction", (_program, command) => requireKnownNames(command));
    await refuseMisspelled(program, words);
    return program;
  });
}

/**
 * Refuses misspelled settings. Doctor has findings for them instead.
 * @throws {SettingsError} for variables that are probably misspelled settings (rule K12)
 */
async function requireKnownNames(command: Command): Promise<void> {
  if (!readsSettings(command) || command.name() === "doctor") return;
  const { judgeSettingNames } = await import("./setting-names.ts");
  const { problems, warnings } = judgeSettingNames(process.env);
  if (problems.length > 0) throw new SettingsError(problems);
  for (const warning of warnings) outputFor({}).say(warning);
}

/**
 * Refuses a subcommand that doesn't exist, at any level, and suggests the one that was probably meant.
 * Commander itself suggests only where a command has subcommands and nothing else to do.
 * @throws {CommanderError} after writing the sentence to stderr
 */
async function refuseMisspelled(program: Command, words: readonly string[]): Promise<void> {
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

/** Returns names such as `importer packages`, for a name whose command was left out. */
async function nestedNames(): Promise<readonly string[]> {
  const names = await Promise.all(
    Object.entries(SUBCOMMANDS).map(async ([name, { load }]) =>
      namesIn(await load()).map((each) => `${name} ${each}`),
    ),
  );
  return names.flat();
}

/** The words that the app runs when it is started without a subcommand. */
const START = ["up", "--host", "live", "--open"];

/** Options that belong to the command itself. */
const OF_THE_COMMAND = new Set(["-h", "--help", "-V", "--version"]);

/**
 * Returns the words that the app runs: without a subcommand it starts everything and opens the panel (rule K7).
 * @param words as it was started with
 */
export function appWords(words: readonly string[]): readonly string[] {
  const [first] = words;
  const isOwn = first !== undefined && (!first.startsWith("-") || OF_THE_COMMAND.has(first));
  return isOwn ? words : [...START, ...words];
}
