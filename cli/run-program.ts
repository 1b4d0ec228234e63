import { type Command, CommanderError } from "commander";
import { errorJson, exitStatusOf, sentenceOf } from "./fail.ts";
import { hasGiven, outputFor, startOutput } from "./output.ts";

/**
 * Runs a program with its arguments, reports its error, and sets the exit status (rule K1); never rejects.
 * @param make builds the program's command
 */
export async function runProgram(
  words: readonly string[],
  make: () => Promise<Command>,
): Promise<void> {
  startOutput();
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe early.
    if (error.code === "EPIPE") return;
    outputFor({}).say(`The output can't be written: ${error.message}.`);
    process.exitCode = 1;
  });
  // There is no stream left to report it on.
  process.stderr.on("error", () => {});
  try {
    await (await make()).parseAsync(words, { from: "user" });
  } catch (error) {
    process.exitCode = exitStatusOf(error);
    const output = outputFor({ json: true });
    if (!(error instanceof CommanderError)) output.say(sentenceOf(error));
    const isValueDue = words.includes("--json") && !hasGiven();
    if (process.exitCode !== 0 && isValueDue) output.give(errorJson(error), "");
  }
}
