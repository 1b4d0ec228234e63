import type { Command } from "commander";
import { FOUND } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import type { CheckResult } from "../../../relay/operating/check.ts";
import { newCommand } from "../../command.ts";
import { outputFor } from "../../output.ts";
import { showTotal } from "../../progress.ts";
import { formatCheck, isAllWell } from "./format-check.ts";
import { lostJson, placeOf, relaySettingsOf, requireFolder } from "./relay-data.ts";

interface CheckFlags {
  readonly deep?: boolean;
  readonly repair?: boolean;
  readonly resetClock?: boolean;
}

/** `soundferry relay check` (rule Z9). */
export function checkCommand(): Command {
  return newCommand(
    "relay check",
    "Compares the database with the sounds, both ways, also while the relay runs. Exits with 0 if all is well, 1 if " +
      "it found something, and 78 if database and sounds don't belong together.",
  )
    .option("--deep", "read every sound and compare it with what its app sent, which takes long")
    .option(
      "--repair",
      "put back quarantined sounds that the database knows, quarantine those that it doesn't, mark lost files as missing",
    )
    .option("--reset-clock", "tell the relay that this machine's clock is right")
    .action(runCheck);
}

async function runCheck(flags: CheckFlags, command: Command): Promise<void> {
  const settings = relaySettingsOf(command);
  const { quarantineSeconds } = settings;
  requireFolder(settings);
  const dataFolder = placeOf(settings);
  const output = outputFor(command.optsWithGlobals());
  const { checkRelay } = await import("../../../relay/operating/check.ts");
  const { begin, add, stop } = showTotal("Compared", output);
  const result = await checkRelay(settings, {
    isRepairing: flags.repair === true,
    isResettingClock: flags.resetClock === true,
    deep: flags.deep === true ? { begin, compared: add } : undefined,
  }).finally(stop);
  output.give(
    { data_folder: dataFolder, ok: isAllWell(result), ...jsonOf(result, quarantineSeconds) },
    formatCheck(result, { dataFolder, quarantineSeconds }),
  );
  if (result.mismatch !== undefined) process.exitCode = 78;
  else if (!isAllWell(result)) process.exitCode = 1;
}

function jsonOf(result: CheckResult, quarantineSeconds: number): object {
  const { mismatch, repairs } = result;
  return {
    instance: result.instanceId ?? null,
    sounds_instance: result.soundsInstanceId ?? null,
    sounds: result.soundCount,
    mismatch: mismatch === undefined ? null : FOUND[mismatch],
    damage: result.damage,
    lost: lostJson(result.lost),
    differing:
      result.differing?.map(({ packageId, file, key, found, record }) => ({
        package_id: packageId,
        file,
        sound: key,
        device_id: record.deviceId,
        app_name: record.appName,
        found,
      })) ?? null,
    unknown: result.unknown.map(({ key, bytes }) => ({ sound: key, bytes })),
    unfinished: result.unfinished.map(({ key, bytes }) => ({ sound: key, bytes })),
    misplaced: result.misplaced.map(({ key, bytes }) => ({ sound: key, bytes })),
    quarantined: result.quarantined.map(({ key, bytes, since }) => ({
      sound: key,
      bytes,
      since: new Date(since).toISOString(),
      until: new Date(since + quarantineSeconds * 1000).toISOString(),
    })),
    waiting_deletions: result.doomedCount,
    clock_set_back: result.clock.isBack,
    clock_reset: result.isClockReset,
    repairs:
      repairs === undefined
        ? null
        : {
            put_back: repairs.putBack,
            quarantined: repairs.quarantined,
            marked_lost: lostJson(repairs.markedLost),
          },
  };
}
