import { runLibrary } from "../../layout/run-library.ts";
import type { Output } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";
import { CHECK, CHECK_STRICTLY } from "./library-tasks.ts";
import { assertFolder, formatForGithub, type ReportFlags, writeReports } from "./write-reports.ts";

export interface CheckFlags extends ReportFlags {
  readonly strict?: boolean;
  readonly json?: boolean;
}

/**
 * Checks a library as `layout --check` does.
 * @throws {WrongUse} if the base is no folder
 * @throws {Failure} if a report can't be written, after the result is
 */
export async function checkLibrary(
  folders: readonly string[],
  flags: CheckFlags,
  output: Output,
): Promise<void> {
  await assertFolder(flags.base);
  const task = flags.strict === true ? CHECK_STRICTLY : CHECK;
  const { reports, summary, json, text, exitStatus } = await runLibrary(
    folders,
    task,
    stopSignal(),
  );
  const packages = reports.map(({ checked }) => checked);
  process.exitCode = exitStatus;
  if (flags.github === true) {
    // GitHub reads both streams.
    const commands = await formatForGithub(packages, flags.json ? undefined : text);
    output.give(json, commands);
    if (flags.json === true && commands !== "") output.say(commands);
  } else output.give(json, text);
  await writeReports(packages, summary, flags);
}
