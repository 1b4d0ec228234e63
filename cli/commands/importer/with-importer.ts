import type { Command } from "commander";
import type { ImporterCalls } from "../../../addon/importer.ts";
import { importerSettings } from "../../../addon/settings.ts";
import { keepYoungMemorySmall } from "../../keep-young-memory-small.ts";
import { namedHost } from "./host-flag.ts";
import { flagsGiven } from "../../setting-flags.ts";

/** Calls the importer running on the data folder, or one that this command starts (rule R3). */
export async function withImporter(
  command: Command,
  ask: (importer: ImporterCalls) => Promise<void>,
): Promise<void> {
  keepYoungMemorySmall();
  const { openImporter } = await import("../../../addon/control/open-importer.ts");
  const { readSettingsOfImporter, withOwnHosts } = await import("./importer-options.ts");
  const settings = readSettingsOfImporter(flagsGiven(command, importerSettings()));
  const named = namedHost(command);
  // A file is another host of the importer, never its own.
  const own = named === "dawproject" ? undefined : named;
  await using opened = await openImporter(withOwnHosts(settings, own));
  await ask(opened.importer);
}
