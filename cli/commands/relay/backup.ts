import type { Command } from "commander";
import { countOf } from "../../../core/text/count-of.ts";
import type { BackupResult } from "../../../relay/operating/back-up.ts";
import { newCommand } from "../../command.ts";
import { WrongUse } from "../../fail.ts";
import { formatBytes, formatFacts } from "../../format.ts";
import { noteUnflushable } from "../../note-unflushable.ts";
import { outputFor } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";
import { relaySettingsOf, requireOnFolder, tenths } from "./relay-data.ts";

interface BackupFlags {
  readonly link?: boolean;
  readonly keep?: string;
}

/** `soundferry relay backup` (rule Z10). */
export function backupCommand(): Command {
  return newCommand(
    "relay backup",
    "Backs up database and sounds into a new folder named after the time, also while the relay runs. The relay " +
      "deletes nothing meanwhile.",
  )
    .argument("<folder>", "where the backups are, outside the relay's data folder")
    .option(
      "--link",
      "link the sounds instead of copying them: quick, but only on the same file system",
    )
    .option("--keep <number>", "keep this many backups in the folder, and delete older ones")
    .action(runBackup);
}

async function runBackup(target: string, flags: BackupFlags, command: Command): Promise<void> {
  const settings = relaySettingsOf(command);
  requireOnFolder(settings);
  const { dataFolder } = settings;
  const keep = flags.keep === undefined ? undefined : Number(flags.keep);
  if (keep !== undefined && (!Number.isInteger(keep) || keep < 1)) {
    throw new WrongUse("--keep takes a number of backups, at least 1.");
  }
  const output = outputFor(command.optsWithGlobals());
  const say = tenths((text) => output.say(text));
  const { backUp } = await import("../../../relay/operating/back-up.ts");
  const result = await backUp({
    dataFolder,
    target,
    isLinked: flags.link === true,
    keep,
    signal: stopSignal(),
    onProgress: ({ doneFiles, allFiles, doneBytes }) =>
      say(doneFiles, allFiles, `sounds (${formatBytes(doneBytes)})`),
  });
  await noteUnflushable([target], output);
  output.give(jsonOf(result), format(result));
}

function jsonOf({ folder, sounds, bytes, lost, damaged, deleted }: BackupResult): object {
  return { folder, sounds, bytes, lost, damaged, deleted };
}

function format({ folder, sounds, bytes, lost, damaged, deleted }: BackupResult): string {
  const lines = [
    formatFacts(`Backed up to ${folder}`, [
      ["Sounds", `${sounds}, ${formatBytes(bytes)} with the database`],
      ...deleted.map((one) => ["Deleted", one] as const),
    ]),
  ];
  if (lost.length > 0) {
    lines.push(
      `${countOf(lost.length, "sound")} had been lost before. See: soundferry relay check`,
    );
  }
  if (damaged.length > 0) {
    lines.push(`Not what was sent, so probably damaged on the disk: ${damaged.join(", ")}`);
  }
  return lines.join("\n");
}
