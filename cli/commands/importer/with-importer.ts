import type { Command } from "commander";
import type { ImporterCalls } from "../../../addon/importer.ts";
import { importerSettings } from "../../../addon/settings.ts";
import { isOwnHost, namedHost, ownHostNames } from "../../hosts.ts";
import { flagsGiven } from "../../setting-flags.ts";
import { keepYoungMemorySmall } from "../../young-memory.ts";

/** Calls the importer running on the data folder, or one that this command starts (rule R3). */
export async function withImporter(
  command: Command,
  ask: (importer: ImporterCalls) => Promise<void>,
): Promise<void> {
  keepYoungMemorySmall();
  const { openImporter } = await import("../../../addon/control/open-importer.ts");
  const { readSettingsOfImporter, withOwnHosts } = await import("./importer-options.ts");
  const settings = await readSettingsOfImporter(flagsGiven(command, importerSettings()));
  const named = namedHost(command);
  // A file is another host of the importer, never its own.
  const own = named !== undefined && isOwnHost(named) ? named : undefined;
  await using opened = await openImporter(await withOwnHosts(settings, ownHostNames(own)));
  await ask(opened.importer);
}
