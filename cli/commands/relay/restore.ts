import type { Command } from "commander";
import { countOf } from "../../../core/text/count-of.ts";
import type { RestoreResult } from "../../../relay/operating/restore.ts";
import { newCommand } from "../../command.ts";
import { formatFacts } from "../../format.ts";
import { outputFor } from "../../output.ts";
import { dataCommand, relaySettingsOf, requireOnFolder, tenths } from "./relay-data.ts";

interface RestoreFlags {
  readonly replace?: boolean;
  readonly newInstance?: boolean;
  readonly removals?: string;
}

/** `soundferry relay restore` (rules Z10, Z11). */
export function restoreCommand(): Command {
  return newCommand(
    "relay restore",
    "Puts a backup into the relay's data folder, after checking all of it. The relay must not run. What was revoked, " +
      "unpaired, erased or withdrawn since the backup stays so, as far as removals.log says.",
  )
    .argument("<backup>", "the folder of one backup")
    .option("--replace", "move what is in the data folder aside; nothing is deleted")
    .option("--new-instance", "make it a relay of its own, to run beside the original")
    .option("--removals <file>", "another removals.log to heed, such as the one of a lost folder")
    .action(runRestore);
}

async function runRestore(backup: string, flags: RestoreFlags, command: Command): Promise<void> {
  const settings = relaySettingsOf(command);
  requireOnFolder(settings);
  const { dataFolder } = settings;
  const output = outputFor(command.optsWithGlobals());
  const report = (line: string) => output.say(line);
  const say = { checked: tenths(report), copied: tenths(report) };
  const { restore } = await import("../../../relay/operating/restore.ts");
  const result = await restore({
    backup,
    dataFolder,
    isReplacing: flags.replace === true,
    isNewInstance: flags.newInstance === true,
    removalsFile: flags.removals,
    onProgress: ({ step, doneFiles, allFiles }) => say[step](doneFiles, allFiles, `files ${step}`),
  });
  output.give(jsonOf(result, dataFolder), format(result, dataFolder));
}

function jsonOf(result: RestoreResult, dataFolder: string): object {
  const { manifest, instanceId, replayed, unreadableRemovals, aside } = result;
  return {
    data_folder: dataFolder,
    backup_of: manifest.made_at,
    instance: instanceId,
    files: manifest.files.length,
    lost: manifest.lost,
    replayed,
    unreadable_removals: unreadableRemovals,
    moved_aside: aside ?? null,
  };
}

function format(result: RestoreResult, dataFolder: string): string {
  const { manifest, replayed, unreadableRemovals, aside } = result;
  const lines = [
    formatFacts(`Restored the backup of ${manifest.made_at} to ${dataFolder}.`, [
      ["Files", String(manifest.files.length)],
      ["Done again", `${countOf(replayed, "removal")} since the backup`],
      ...(aside === undefined ? [] : [["Moved aside", aside] as const]),
    ]),
    "",
  ];
  if (manifest.lost.length > 0) {
    lines.push(`${countOf(manifest.lost.length, "sound")} had been lost before the backup.`);
  }
  if (unreadableRemovals > 0) {
    lines.push(
      `${countOf(unreadableRemovals, "line")} of removals.log can't be read. What they removed may be back.`,
    );
  }
  return [...lines, `Start the relay: ${dataCommand([], dataFolder)}`].join("\n");
}
