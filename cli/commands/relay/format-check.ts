import { FOUND } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { MismatchReason } from "../../../relay/domain/upkeep/judge-instance.ts";
import type { CheckResult, Findings } from "../../../relay/operating/check.ts";
import type { Repairs } from "../../../relay/operating/repair.ts";
import { formatBytes } from "../../format.ts";
import { dataCommand } from "./relay-data.ts";

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
  return [lost, unknown, misplaced, quarantined].every((found) => found.length === 0);
}

/** Formats for people what was found and done. */
export function formatCheck(result: CheckResult, relay: CheckedRelay): string {
  const { mismatch, damage, repairs, isClockReset } = result;
  if (mismatch !== undefined) return formatMismatch(mismatch, result, relay);
  if (damage.length > 0) return formatDamage(damage, relay);
  const blocks = [
    ...formatFindings(result, relay),
    ...(repairs === undefined ? [] : [formatRepairs(repairs)]),
    ...(isClockReset ? ["The relay follows this machine's clock from now on."] : []),
    ...formatNotes(result),
  ];
  if (isAllWell(result) && repairs === undefined) {
    blocks.unshift(
      `All is well in ${relay.dataFolder}: every file is there, and every sound is known.`,
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
  const blocks = [
    listed(`${FOUND[mismatch]} A relay doesn't start on them.`, [
      `Database: ${instanceId ?? "no id"}`,
      `Sounds: ${soundsInstanceId ?? "no id"}, ${countOf(soundCount, "sound")}`,
    ]),
  ];
  if (lost.length > 0) {
    const lines = lost.map(
      ({ packageId, files }) => `${packageId}: ${[...files.keys()].join(", ")}`,
    );
    blocks.push(listed("The database names these files, but their bytes are not there:", lines));
  }
  if (unknown.length > 0) {
    blocks.push(listed("The database doesn't know these sounds:", unknown.map(lineOf)));
  }
  const command = dataCommand(["adopt"], dataFolder);
  blocks.push(`Put back what is missing if you can. To start with what is there, run: ${command}`);
  return blocks.join("\n\n");
}

function formatDamage(damage: readonly string[], { dataFolder }: CheckedRelay): string {
  return [
    `The database in ${dataFolder} is damaged:`,
    ...damage.map((line) => `  ${line}`),
    `Stop the relay and restore your last backup: ${dataCommand(["restore", "<backup>", "--replace"], dataFolder)}`,
  ].join("\n");
}

function formatFindings(
  found: Findings,
  { dataFolder, quarantineSeconds }: CheckedRelay,
): readonly string[] {
  const { lost, unknown, misplaced, quarantined, clock } = found;
  const blocks: string[] = [];
  if (lost.length > 0) {
    const lines = lost.map(
      ({ packageId, files }) => `${packageId}: ${[...files.keys()].join(", ")}`,
    );
    blocks.push(
      listed(
        "Lost: the database names these files, but their bytes are gone or cut off. --repair lists them as missing, so that " +
          "their apps can send them again.",
        lines,
      ),
    );
  }
  if (misplaced.length > 0) {
    blocks.push(
      listed(
        "In the quarantine, but known to the database. The relay puts them back within an hour, --repair does now.",
        misplaced.map(lineOf),
      ),
    );
  }
  if (unknown.length > 0) {
    blocks.push(
      listed(
        `${countOf(unknown.length, "sound")} that the database doesn't know. Is it an older copy? Then put the right ` +
          "one back. Otherwise --repair puts them into the quarantine.",
        unknown.map(lineOf),
      ),
    );
  }
  if (quarantined.length > 0) {
    blocks.push(
      listed(
        "Quarantined, because the database doesn't know them. Without its right database, each is deleted in the end.",
        quarantined.map(
          (sound) =>
            `${lineOf(sound)}, since ${dayOf(sound.since)}, until ${dayOf(sound.since + quarantineSeconds * 1000)}`,
        ),
      ),
    );
  }
  if (clock.isBack) {
    blocks.push(
      `This machine's clock is more than an hour behind the relay's time. If the clock is right: ${dataCommand(["check", "--reset-clock"], dataFolder)}`,
    );
  }
  return blocks;
}

function formatRepairs({ putBack, quarantined, markedLost }: Repairs): string {
  const files = markedLost.flatMap((one) => [...one.files.keys()]);
  return listed("Done:", [
    `put back ${countOf(putBack.length, "sound")}`,
    `quarantined ${countOf(quarantined.length, "sound")}`,
    `listed ${countOf(files.length, "file")} of ${countOf(markedLost.length, "package")} as missing`,
  ]);
}

/** Formats the work that a relay does on its own. */
function formatNotes({ doomedCount, unfinished }: Findings): readonly string[] {
  const notes: string[] = [];
  if (doomedCount > 0) notes.push(`${countOf(doomedCount, "deletion")} to do.`);
  if (unfinished.length > 0)
    notes.push(`${countOf(unfinished.length, "unfinished upload")} to delete.`);
  return notes.length === 0 ? [] : [`A relay takes care of this when it runs: ${notes.join(" ")}`];
}

function listed(headline: string, lines: readonly string[]): string {
  return [headline, ...lines.map((line) => `  ${line}`)].join("\n");
}

function lineOf({ key, bytes }: { readonly key: string; readonly bytes: number }): string {
  return `${key} (${formatBytes(bytes)})`;
}

function dayOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
