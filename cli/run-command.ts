import { type Command, CommanderError } from "commander";
import { VERSION } from "../core/version.ts";
import { SettingsError } from "../core/settings.ts";
import { newCommand } from "./command.ts";
import { errorJson, exitStatusOf, sentenceOf } from "./fail.ts";
import { hasGiven, outputFor, startOutput } from "./output.ts";
import { refuseMisspelt } from "./refuse-misspelt.ts";
import { readsSettings } from "./setting-flags.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

/** Runs the `soundferry` command with its arguments and sets the exit status; never rejects. */
export async function runCommand(words: readonly string[]): Promise<void> {
  startOutput();
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe early.
    if (error.code === "EPIPE") return;
    outputFor({}).say(`The output can't be written: ${error.message}.`);
    process.exitCode = 1;
  });
  // There is nowhere left to say it.
  process.stderr.on("error", () => {});
  try {
    const program = newCommand("", "Carries sounds from any app into Ableton Live.")
      .version(VERSION)
      .helpCommand("help [command]", "show what a command does");
    const wanted = words.find((word) => Object.hasOwn(SUBCOMMANDS, word));
    for (const [name, { summary, load }] of Object.entries(SUBCOMMANDS)) {
      program.addCommand((name === wanted ? await load() : newCommand(name, "")).summary(summary));
    }
    program.hook("preAction", (_program, command) => requireKnownNames(command));
    await refuseMisspelt(program, words);
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    process.exitCode = exitStatusOf(error);
    const output = outputFor({ json: true });
    if (!(error instanceof CommanderError)) output.say(sentenceOf(error));
    const isValueDue = words.includes("--json") && !hasGiven();
    if (process.exitCode !== 0 && isValueDue) output.give(errorJson(error), "");
  }
}

/**
 * Doctor has findings for them instead.
 * @throws {SettingsError} for variables that are probably misspelt settings (rule K12)
 */
async function requireKnownNames(command: Command): Promise<void> {
  if (!readsSettings(command) || command.name() === "doctor") return;
  const { judgeSettingNames } = await import("./setting-names.ts");
  const { problems, warnings } = judgeSettingNames(process.env);
  if (problems.length > 0) throw new SettingsError(problems);
  for (const warning of warnings) outputFor({}).say(warning);
}
