import { userInfo } from "node:os";
import type { DatabaseSync } from "node:sqlite";
import type { Command } from "commander";
import type { Administration } from "../../relay/operating/administer.ts";
import { type Output, outputFor } from "../output.ts";
import { relaySettingsOf } from "../relay/settings-of.ts";

/** Looks at the database of the relay that a command names. Changes nothing. */
export async function lookAt(
  command: Command,
  look: (database: DatabaseSync, to: { output: Output; folder: string }) => void | Promise<void>,
): Promise<void> {
  const { dataFolder: folder } = relaySettingsOf(command);
  const { openCurrent } = await import("../../relay/operating/open-current.ts");
  using database = openCurrent(folder);
  await look(database, { output: outputFor(command.optsWithGlobals()), folder });
}

/** Changes something at the relay that a command names. */
export async function administer(
  command: Command,
  act: (administration: Administration, output: Output) => void | Promise<void>,
): Promise<void> {
  const { dataFolder } = relaySettingsOf(command);
  const { Administration } = await import("../../relay/operating/administer.ts");
  using administration = await Administration.open(dataFolder, { who: whoRuns() });
  await act(administration, outputFor(command.optsWithGlobals()));
}

/** The user of the operating system, and who became that user with sudo. */
function whoRuns(): string {
  const behind = process.env["SUDO_USER"];
  const name = userName();
  return behind === undefined || behind === name ? name : `${name} (sudo by ${behind})`;
}

/** A container's user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR"))
      throw error;
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
