#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { CommanderError } from "commander";
import { VERSION } from "../core/version.ts";
import { newCommand } from "./command.ts";
import { errorJson, exitStatusOf, sentenceOf } from "./fail.ts";
import { hasGiven, outputFor } from "./output.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

const words = process.argv.slice(2);

// What a subcommand loads is compiled once and kept in the temporary folder: it starts in half the time.
enableCompileCache();

// A reader that closes the pipe early, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  const program = newCommand("", "Carries sounds from any app into Ableton Live.")
    .version(VERSION)
    .helpCommand("help [command]", "show what a command does");
  const asked = words.find((word) => Object.hasOwn(SUBCOMMANDS, word));
  for (const [name, { summary, load }] of Object.entries(SUBCOMMANDS)) {
    program.addCommand((name === asked ? await load() : newCommand(name, "")).summary(summary));
  }
  await program.parseAsync(words, { from: "user" });
} catch (error) {
  process.exitCode = exitStatusOf(error);
  const output = outputFor({ json: true });
  if (!(error instanceof CommanderError)) output.say(sentenceOf(error));
  const isValueDue = words.includes("--json") && !hasGiven();
  if (process.exitCode !== 0 && isValueDue) output.give(errorJson(error), "");
}
