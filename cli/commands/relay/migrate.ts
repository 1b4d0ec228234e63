import { resolve } from "node:path";
import type { Command } from "commander";
import { countOf } from "../../../core/text/count-of.ts";
import type { MigrateResult } from "../../../relay/operating/moving/migrate.ts";
import type { StoreSettings } from "../../../relay/operating/open-operated.ts";
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
    "Moves a relay from its data folder to PostgreSQL and S3, or back to a folder, with its id, pairings, packages and " +
      "sounds. The relay must not run. It can be interrupted at any time and run again. Nothing is deleted where the " +
      "relay comes from, but no relay starts on that afterwards.",
  )
    .option(
      "--to <place>",
      "the empty database, postgres://… [SOUNDFERRY_DATABASE_URL]; or an empty folder for the relay that the settings name",
    )
    .option("--s3 <bucket>", "the empty bucket, its name or s3://… [SOUNDFERRY_S3_BUCKET]")
    .option(
      "--repair",
      "list lost and damaged files as missing, so that their apps can send them again",
    )
    .action(runMigrate);
}

async function runMigrate(flags: MigrateFlags, command: Command): Promise<void> {
  const { from, to } = isFolder(flags.to)
    ? movingBack(flags.to, flags, command)
    : movingThere(flags, command);
  const places = { from: placeOf(from), to: placeOf(to) };
  const output = outputFor(command.optsWithGlobals());
  const report = (line: string) => output.say(line);
  const say = { sounds: tenths(report), rows: tenths(report) };
  const signal = stopSignal();
  const { openSource, openTarget } = await import("../../../relay/operating/moving/move-stores.ts");
  const { migrate } = await import("../../../relay/operating/moving/migrate.ts");
  const isRepairing = flags.repair === true;
  const onWait = () =>
    report("Waiting until it is certain that no relay runs. This takes half a minute.");
  await using source = await openSource(from, places.from);
  await using target = await openTarget(to, places.to);
  const result = await migrate({
    source,
    target,
    isRepairing,
    signal,
    onWait,
    onProgress: ({ step, done, all, bytes }) =>
      say[step](done, all, step === "rows" ? "records" : `sounds (${formatBytes(bytes)} copied)`),
  });
  output.give(jsonOf(result, places), format(result, places, isFolder(flags.to)));
}

/** The settings of the relay before and after a move. */
interface Move {
  readonly from: StoreSettings;
  readonly to: StoreSettings;
}

/** Checks whether a place is a folder. @throws {WrongUse} for another database than PostgreSQL */
function isFolder(place: string | undefined): place is string {
  if (place === undefined || /^postgres(ql)?:\/\//.test(place)) return false;
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(place)) return true;
  throw new WrongUse("--to takes postgres://… or a folder.");
}

/** From the data folder to PostgreSQL and S3. @throws {WrongUse} */
function movingThere({ to, s3 }: MigrateFlags, command: Command): Move {
  const bucket = s3?.replace(/^s3:\/\//, "").replace(/\/$/, "");
  const settings = relaySettingsOf(command, {
    ...(to !== undefined && { SOUNDFERRY_DATABASE_URL: to }),
    ...(bucket !== undefined && { SOUNDFERRY_S3_BUCKET: bucket }),
  });
  if (settings.databaseUrl === undefined || settings.s3Bucket === undefined) {
    throw new WrongUse(
      "Name the database with --to and the bucket with --s3. To move a relay from there to a folder, name that with --to.",
    );
  }
  return { from: { dataFolder: settings.dataFolder }, to: settings };
}

/** From PostgreSQL, and from S3 or the disk, to a data folder. @throws {WrongUse} */
function movingBack(folder: string, { s3 }: MigrateFlags, command: Command): Move {
  const from = relaySettingsOf(command);
  const dataFolder = resolve(folder);
  if (s3 !== undefined) {
    throw new WrongUse(
      "A move to a folder needs no --s3. The relay's own bucket is in SOUNDFERRY_S3_BUCKET.",
    );
  }
  if (from.databaseUrl === undefined) {
    throw new WrongUse(
      `${folder} is a folder, and the relay is in one, too: ${from.dataFolder}. Name the database of the relay that moves ` +
        "with SOUNDFERRY_DATABASE_URL. To take a folder elsewhere, use relay backup and relay restore.",
    );
  }
  if (from.s3Bucket === undefined && resolve(from.dataFolder) === dataFolder) {
    throw new WrongUse(`The sounds are in ${dataFolder} already. Name another folder with --to.`);
  }
  return { from, to: { dataFolder } };
}

interface Places {
  readonly from: string;
  readonly to: string;
}

function jsonOf(result: MigrateResult, { from, to }: Places): object {
  return {
    from,
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

function format(result: MigrateResult, { from, to }: Places, isBack: boolean): string {
  if (!result.isNew) return `The relay in ${from} had moved to ${to} before.`;
  const lines = [
    formatFacts(`Moved the relay in ${from} to ${to}.`, [
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
    lines.push(`${countOf(result.quarantined, "sound")} of the quarantine stayed where they were.`);
  }
  lines.push(
    `Every record and the SHA-256 of every sound were compared. ${isBack ? STARTS_BACK : STARTS_THERE}`,
  );
  return lines.join("\n");
}

const STARTS_THERE =
  "Start the relays with SOUNDFERRY_DATABASE_URL and SOUNDFERRY_S3_BUCKET. Keep the folder until you have a backup of both.";
const STARTS_BACK =
  "Start the relay with SOUNDFERRY_DATA, and without SOUNDFERRY_DATABASE_URL and SOUNDFERRY_S3_BUCKET. Keep the database and " +
  "the sounds where they were until you have a backup of the folder.";
