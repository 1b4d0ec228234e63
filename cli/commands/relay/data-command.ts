import { readRelaySettings } from "../../../relay/settings.ts";
import { commandLine, quoteIfNeeded } from "../../command.ts";

/** A shell line that runs a subcommand of `relay` on this data folder. */
export function dataCommand(words: readonly string[], dataFolder: string): string {
  const byDefault = readRelaySettings({ flags: {}, environment: {} }).dataFolder;
  const data = dataFolder === byDefault ? [] : ["--data", quoteIfNeeded(dataFolder)];
  return commandLine(["relay", ...words, ...data]);
}
