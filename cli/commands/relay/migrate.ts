import type { Command } from "commander";
import { countOf } from "../../../core/text/count-of.ts";
import type { MigrateResult } from "../../../relay/operating/moving/migrate.ts";
import type { RelaySettings } from "../../../relay/settings.ts";
import { newCommand } from "../../command.ts";
import { WrongUse } from "../../fail.ts";
import { formatBytes, formatFacts } from "../../format.ts";
import { outputFor } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";
import { placeOf, relaySettingsOf, tenths } from "./relay-data.ts";

interface MigrateFlags {
  readonly to?: string;
  readonly s3?: string;
  readonly repair?: boolean;
}

/** `soundferry relay migrate` (rules SC21 to SC23). */
export function migrateCommand(): Command {
  return newCommand(
    "relay migrate",
    "Moves a relay from its data folder to PostgreSQL and S3, with its id, pairings, packages and sounds. The relay " +
      "must not run. It can be interrupted at any time and run again. Nothing in the folder is deleted, but no relay " +
      "starts on it afterwards.",
  )
    .option("--to <url>", "the empty database, postgres://… [SOUNDFERRY_DATABASE_URL]")
    .option("--s3 <bucket>", "the empty bucket, its name or s3://… [SOUNDFERRY_S3_BUCKET]")
    .option(
      "--repair",
      "list lost and damaged files as missing, so that their apps can send them again",
    )
    .action(runMigrate);
}

async function runMigrate(flags: MigrateFlags, command: Command): Promise<void> {
  const settings = targetOf(flags, command);
  const { databaseUrl, dataFolder } = settings;
  const output = outputFor(command.optsWithGlobals());
  const report = (line: string) => output.say(line);
  const say = { sounds: tenths(report), rows: tenths(report) };
  const to = placeOf(settings);
  const signal = stopSignal();
  const { openDatabase, openSounds } = await import("../../../relay/operating/open-operated.ts");
  const { migrate } = await import("../../../relay/operating/moving/migrate.ts");
  await using database = await openDatabase({ ...settings, databaseUrl });
  const sounds = await openSounds(settings);
  try {
    const result = await migrate({
      dataFolder,
      target: { database, sounds },
      to,
      isRepairing: flags.repair === true,
      signal,
      onProgress: ({ step, done, all, bytes }) =>
        say[step](done, all, step === "rows" ? "records" : `sounds (${formatBytes(bytes)} copied)`),
    });
    output.give(jsonOf(result, { dataFolder, to }), format(result, { dataFolder, to }));
  } finally {
    await sounds[Symbol.asyncDispose]?.();
  }
}

/** The settings of the relay after the move. @throws {WrongUse} */
function targetOf(
  { to, s3 }: MigrateFlags,
  command: Command,
): RelaySettings & { readonly databaseUrl: string; readonly s3Bucket: string } {
  const bucket = s3?.replace(/^s3:\/\//, "").replace(/\/$/, "");
  const settings = relaySettingsOf(command, {
    ...(to !== undefined && { SOUNDFERRY_DATABASE_URL: to }),
    ...(bucket !== undefined && { SOUNDFERRY_S3_BUCKET: bucket }),
  });
  const { databaseUrl, s3Bucket } = settings;
  if (databaseUrl === undefined || s3Bucket === undefined) {
    throw new WrongUse("Name the database with --to and the bucket with --s3.");
  }
  return { ...settings, databaseUrl, s3Bucket };
}

interface Places {
  readonly dataFolder: string;
  readonly to: string;
}

function jsonOf(result: MigrateResult, { dataFolder, to }: Places): object {
  return {
    data_folder: dataFolder,
    to,
    instance: result.instanceId,
    moved_before: !result.isNew,
    devices: result.devices,
    packages: result.packages,
    records: result.rows,
    sounds: result.sounds,
    bytes: result.bytes,
    unfinished_files: result.partials,
    restarted_files: result.restartedFiles,
    damaged: result.damaged,
    quarantined: result.quarantined,
  };
}

function format(result: MigrateResult, { dataFolder, to }: Places): string {
  if (!result.isNew) return `The relay in ${dataFolder} had moved to ${to} before.`;
  const lines = [
    formatFacts(`Moved the relay in ${dataFolder} to ${to}.`, [
      ["Devices", String(result.devices)],
      ["Packages", String(result.packages)],
      ["Sounds", `${result.sounds}, ${formatBytes(result.bytes)}`],
      ["Unfinished", `${countOf(result.partials, "file")} that can be continued there`],
    ]),
    "",
  ];
  if (result.restartedFiles > 0) {
    lines.push(`${countOf(result.restartedFiles, "file")} must be sent again from the beginning.`);
  }
  if (result.damaged.length > 0) {
    lines.push(`Damaged, and listed as missing: ${result.damaged.join(", ")}`);
  }
  if (result.quarantined > 0) {
    lines.push(`${countOf(result.quarantined, "sound")} of the quarantine stayed in the folder.`);
  }
  lines.push(
    "Every record and the SHA-256 of every sound were compared. Start the relays with SOUNDFERRY_DATABASE_URL and " +
      "SOUNDFERRY_S3_BUCKET. Keep the folder until you have a backup of both.",
  );
  return lines.join("\n");
}
