import type { Command } from "commander";
import { countOf } from "../../../core/text/count-of.ts";
import { formatLimitSpan } from "../../../core/text/format-limit.ts";
import type { FolderAdoption } from "../../../relay/operating/adopt.ts";
import { newCommand } from "../../command.ts";
import { formatBytes, formatFacts } from "../../format.ts";
import { outputFor } from "../../output.ts";
import {
  dataCommand,
  placeOf,
  relaySettingsOf,
  requireFolder,
  formatLost,
  lostJson,
} from "./relay-data.ts";

/** `soundferry relay adopt` (rule Z1). */
export function adoptCommand(): Command {
  return newCommand(
    "relay adopt",
    "Makes a relay start again that refuses to, because its database and its sounds don't belong together. " +
      "Sounds that the database doesn't know go into a quarantine, packages whose files are gone list them as missing, " +
      "and nothing is deleted. If you can, put back what is missing instead. The relay must not run.",
  ).action(adopt);
}

async function adopt(_: object, command: Command): Promise<void> {
  const settings = relaySettingsOf(command);
  const { quarantineSeconds } = settings;
  requireFolder(settings);
  const dataFolder = placeOf(settings);
  const { adoptRelay } = await import("../../../relay/operating/adopt.ts");
  const adoption = await adoptRelay(settings);
  outputFor(command.optsWithGlobals()).give(
    { data_folder: dataFolder, adopted: adoption !== undefined, ...jsonOf(adoption) },
    adoption === undefined
      ? `Nothing to adopt: a relay can start on ${dataFolder}.`
      : formatAdoption(adoption, { dataFolder, quarantineSeconds }),
  );
}

function jsonOf(adoption: FolderAdoption | undefined): object {
  if (adoption === undefined) return {};
  const { instanceId, putBack, quarantined, lost, setAside } = adoption;
  return {
    instance: instanceId,
    put_back: putBack,
    quarantined,
    lost: lostJson(lost),
    set_aside: setAside,
  };
}

function formatAdoption(
  { putBack, quarantined, lost, setAside }: FolderAdoption,
  settings: { readonly dataFolder: string; readonly quarantineSeconds: number },
): string {
  const { dataFolder, quarantineSeconds } = settings;
  const { sounds, bytes } = quarantined;
  const files = lost.flatMap((each) => [...each.files.keys()]);
  return [
    formatFacts(`The database and the sounds in ${dataFolder} now belong together.`, [
      ["Put back", `${countOf(putBack, "sound")} from the quarantine`],
      ["Quarantined", `${countOf(sounds, "unknown sound")}, ${formatBytes(bytes)}`],
      ["Lost", `${countOf(files.length, "file")} of ${countOf(lost.length, "package")}`],
      ...setAside.map((name) => ["Set aside", name] as const),
    ]),
    ...lost.map((each) => `    ${formatLost(each)}`),
    "",
    ...(sounds > 0
      ? [
          `Nothing was deleted. The quarantine keeps its sounds for ${formatLimitSpan(quarantineSeconds)}.`,
        ]
      : []),
    ...(setAside.length > 0
      ? [
          "What was set aside is the end of the missing database. If you find that, " +
            "give both their names back before you start the relay on it.",
        ]
      : []),
    ...(files.length > 0 ? ["The apps that sent the lost files can send them again."] : []),
    `Start the relay: ${dataCommand([], dataFolder)}`,
  ].join("\n");
}
