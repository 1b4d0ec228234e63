import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { SettingsSource } from "../../../core/settings.ts";
import type { CheckResult } from "../../../relay/operating/check.ts";
import type { StoreSettings } from "../../../relay/operating/open-operated.ts";
import { readRelaySettings, RELAY_SETTINGS, type RelaySettings } from "../../../relay/settings.ts";
import { commandLine, quoteIfNeeded } from "../../command.ts";
import { Failure } from "../../fail.ts";
import { flagsGiven } from "../../setting-flags.ts";

/** Reads a relay's settings from a command's flags and the environment. @param more flags of its own */
export function relaySettingsOf(command: Command, more: SettingsSource = {}): RelaySettings {
  return readRelaySettings({
    flags: { ...flagsGiven(command, RELAY_SETTINGS), ...more },
    environment: process.env,
  });
}

/** Names the place of a relay's records and sounds in sentences, without user and password. */
export function placeOf(settings: StoreSettings): string {
  const { dataFolder, databaseUrl, s3Bucket } = settings;
  if (databaseUrl === undefined && s3Bucket === undefined) return dataFolder;
  const bucket = s3Bucket === undefined ? dataFolder : `the bucket ${s3Bucket}`;
  if (databaseUrl === undefined) return `${dataFolder} and ${bucket}`;
  const { host, pathname } = new URL(databaseUrl);
  return `postgres://${host}${pathname} and ${bucket}`;
}

type LostPackage = CheckResult["lost"][number];

/** Returns lost files as `--json` prints them. */
export function lostJson(lost: readonly LostPackage[]): object {
  return lost.map(({ packageId, files }) => ({ package_id: packageId, files: [...files.keys()] }));
}

/** Formats the lost files of a package. */
export function formatLost({ packageId, files }: LostPackage): string {
  return `${packageId}: ${[...files.keys()].join(", ")}`;
}

/** Requires the data folder where it is used. @throws {Failure} if it isn't there */
export function requireFolder({ dataFolder, databaseUrl, s3Bucket }: StoreSettings): void {
  if ((databaseUrl !== undefined && s3Bucket !== undefined) || existsSync(dataFolder)) return;
  throw new Failure(`There is no data folder at ${dataFolder}.`);
}

/** Refuses a relay outside a data folder, which has other ways of being backed up. @throws {Failure} */
export function requireOnFolder({ databaseUrl, s3Bucket }: StoreSettings): void {
  if (databaseUrl === undefined && s3Bucket === undefined) return;
  throw new Failure(
    "This is for a relay in a data folder. Back PostgreSQL up with pg_dump or point-in-time recovery first, then the " +
      "bucket by its versions. After restoring both, run: soundferry relay check",
  );
}

/** Returns a shell line that runs a subcommand of `relay` on this data folder. */
export function dataCommand(words: readonly string[], dataFolder: string): string {
  const byDefault = readRelaySettings({ flags: {}, environment: {} }).dataFolder;
  const data = dataFolder === byDefault ? [] : ["--data", quoteIfNeeded(dataFolder)];
  return commandLine(["relay", ...words, ...data]);
}

/** Returns a function that reports progress each time another tenth is done. */
export function tenths(
  say: (text: string) => void,
): (done: number, all: number, what: string) => void {
  let said = 0;
  return (done, all, what) => {
    const tenth = Math.floor((done / all) * 10);
    if (tenth === said) return;
    said = tenth;
    say(`${done} of ${all} ${what}`);
  };
}
