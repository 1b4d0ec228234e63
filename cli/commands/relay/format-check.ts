import { countOf } from "../../../core/text/count-of.ts";
import { FOUND } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import type { MismatchReason } from "../../../relay/domain/upkeep/judge-instance.ts";
import type { CheckResult } from "../../../relay/operating/check.ts";
import type { DifferingSound } from "../../../relay/domain/upkeep/compare-sounds.ts";
import type { Repairs } from "../../../relay/domain/upkeep/repair.ts";
import { formatBytes, minuteOf } from "../../format.ts";
import { dataCommand, formatLost } from "./relay-data.ts";

interface CheckedRelay {
  readonly dataFolder: string;
  readonly quarantineSeconds: number;
}

/** Checks whether an operator has nothing to do. Repaired damage doesn't count. */
export function isAllWell(result: CheckResult): boolean {
  const { mismatch, damage, clock, isClockReset, repairs, quarantined } = result;
  if (mismatch !== undefined || damage.length > 0) return false;
  if (clock.isBack && !isClockReset) return false;
  if (repairs !== undefined) return true;
  const { lost, unknown, misplaced } = result;
  const { differing = [] } = result;
  return [lost, differing, unknown, misplaced, quarantined].every((found) => found.length === 0);
}

/** Formats for people what was found and done. */
export function formatCheck(result: CheckResult, relay: CheckedRelay): string {
  const { mismatch, damage, repairs, isClockReset } = result;
  if (mismatch !== undefined) return formatMismatch(mismatch, result, relay);
  if (damage.length > 0) return formatDamage(damage, relay);
  const blocks = [
    ...formatFindings(result, relay),
    ...(repairs === undefined ? [] : [formatRepairs(repairs, result.differing ?? [])]),
    ...(isClockReset ? ["The relay follows this machine's clock from now on."] : []),
    ...formatNotes(result),
  ];
  const compared = result.differing === undefined ? "" : " and what its app sent";
  if (isAllWell(result) && repairs === undefined) {
    blocks.unshift(
      `All is well in ${relay.dataFolder}: every file is there, and every sound is known${compared}.`,
    );
  }
  return blocks.join("\n\n");
}

/** Formats a mismatch. Nothing is repaired before database and sounds belong together. */
function formatMismatch(
  mismatch: MismatchReason,
  { instanceId, soundsInstanceId, soundCount, lost, unknown }: CheckResult,
  { dataFolder }: CheckedRelay,
): string {
  const command = dataCommand(["adopt"], dataFolder);
  return [
    listed(`${FOUND[mismatch]} A relay doesn't start on them.`, [
      `Database: ${instanceId ?? "no id"}`,
      `Sounds: ${soundsInstanceId ?? "no id"}, ${countOf(soundCount, "sound")}`,
    ]),
    ...listedIfAny(
      "The database names these files, but their bytes are not there:",
      lost.map(formatLost),
    ),
    ...listedIfAny("The database doesn't know these sounds:", unknown.map(formatSound)),
    `Put back what is missing if you can. To start with what is there, run: ${command}`,
  ].join("\n\n");
}

function formatDamage(damage: readonly string[], { dataFolder }: CheckedRelay): string {
  return [
    `The database in ${dataFolder} is damaged:`,
    ...damage.map((line) => `  ${line}`),
    `Stop the relay and restore your last backup: ${dataCommand(["restore", "<backup>", "--replace"], dataFolder)}`,
  ].join("\n");
}

function formatFindings(
  found: CheckResult,
  { dataFolder, quarantineSeconds }: CheckedRelay,
): readonly string[] {
  const { lost, differing = [], unknown, misplaced, quarantined, clock } = found;
  const resetClock = dataCommand(["check", "--reset-clock"], dataFolder);
  return [
    ...listedIfAny(
      "Lost: the database names these files, but their bytes are gone or cut off. --repair lists them as missing, so that " +
        "their apps can send them again.",
      lost.map(formatLost),
    ),
    ...listedIfAny(
      "Not what their apps sent, so the disk may be failing: check it. With --deep, --repair quarantines them and lists them " +
        "as missing, so that their apps can send them again.",
      differing.map(formatDiffering),
    ),
    ...listedIfAny(
      "In the quarantine, but known to the database. The relay puts them back within an hour, --repair does now.",
      misplaced.map(formatSound),
    ),
    ...listedIfAny(
      `${countOf(unknown.length, "sound")} that the database doesn't know. Is it an older copy? Then put the right ` +
        "one back. Otherwise --repair puts them into the quarantine.",
      unknown.map(formatSound),
    ),
    ...listedIfAny(
      "Quarantined, because the database doesn't know them. Without its right database, each is deleted in the end.",
      quarantined.map((sound) => {
        const until = sound.since + quarantineSeconds * 1000;
        return `${formatSound(sound)}, since ${formatTime(sound.since)}, until ${formatTime(until)}`;
      }),
    ),
    ...(clock.isBack
      ? [
          `This machine's clock is more than an hour behind the relay's time. If the clock is right: ${resetClock}`,
        ]
      : []),
  ];
}

function formatDiffering({
  packageId,
  file,
  key,
  found,
  record: { deviceId, appName },
}: DifferingSound): string {
  const unreadable = found === "unreadable" ? "; the disk can't read it" : "";
  return `${packageId}: ${file} (${key}), from ${appName} for ${deviceId}${unreadable}`;
}

function formatRepairs(
  { putBack, quarantined, markedLost }: Repairs,
  differing: readonly DifferingSound[],
): string {
  const files = markedLost.flatMap((one) => [...one.files.keys()]);
  return listed("Done:", [
    `put back ${countOf(putBack.length, "sound")}`,
    `quarantined ${countOf(quarantined.length, "sound")}`,
    `listed ${countOf(files.length, "file")} of ${countOf(markedLost.length, "package")} as missing`,
    ...(differing.length > 0
      ? [
          `quarantined ${countOf(differing.length, "sound")} of packages, and listed them as missing`,
        ]
      : []),
  ]);
}

/** Formats the work that a relay does on its own. */
function formatNotes({ doomedCount, unfinished }: CheckResult): readonly string[] {
  const notes: string[] = [];
  if (doomedCount > 0) notes.push(`${countOf(doomedCount, "deletion")} to do.`);
  if (unfinished.length > 0)
    notes.push(`${countOf(unfinished.length, "unfinished upload")} to delete.`);
  return notes.length === 0 ? [] : [`A relay takes care of this when it runs: ${notes.join(" ")}`];
}

function listed(headline: string, lines: readonly string[]): string {
  return [headline, ...lines.map((line) => `  ${line}`)].join("\n");
}

function listedIfAny(headline: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [listed(headline, lines)];
}

function formatSound({ key, bytes }: { readonly key: string; readonly bytes: number }): string {
  return `${key} (${formatBytes(bytes)})`;
}

function formatTime(time: number): string {
  return minuteOf(new Date(time).toISOString());
}
