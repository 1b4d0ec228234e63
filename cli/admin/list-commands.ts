import type { Command } from "commander";
import { LISTED_STATES } from "../../relay/operating/listed.ts";
import { newCommand } from "../command.ts";
import { WrongUse } from "../fail.ts";
import {
  formatApps,
  formatDevices,
  formatOperations,
  formatPackages,
  formatStats,
} from "./format-lists.ts";
import { lookAt, type PageFlags, pageFrom, parseSum, givePage, withPages } from "./on-relay.ts";

/** `soundferry admin stats`. */
export function statsCommand(): Command {
  return newCommand(
    "admin stats",
    "Shows what the relay has, and what is blocked, denied or off.",
  ).action(async (_flags: object, command: Command) =>
    lookAt(command, async (view, output) => {
      const stats = await view.readStats();
      output.give(stats, formatStats(stats, view.place));
    }),
  );
}

/** `soundferry admin devices`. */
export function devicesCommand(): Command {
  return withPages(newCommand("admin devices", "Lists the computers that are registered."))
    .option("--never-paired", "only those that no app was ever paired with")
    .action(async (flags: PageFlags & { readonly neverPaired?: boolean }, command: Command) => {
      const page = pageFrom(flags);
      const onlyUnpaired = flags.neverPaired === true;
      await givePage(command, {
        name: "devices",
        words: ["admin", "devices", ...(onlyUnpaired ? ["--never-paired"] : [])],
        page,
        filter: { onlyUnpaired },
        format: formatDevices,
      });
    });
}

/** `soundferry admin apps`. */
export function appsCommand(): Command {
  return withPages(newCommand("admin apps", "Lists the apps that are paired."))
    .option("--device <device>", "only those of this computer")
    .action(async (flags: PageFlags & { readonly device?: string }, command: Command) => {
      const page = pageFrom(flags);
      await givePage(command, {
        name: "apps",
        words: ["admin", "apps", ...flagged({ device: flags.device })],
        page,
        filter: { device: flags.device },
        format: formatApps,
      });
    });
}

interface PackageFlags extends PageFlags {
  readonly device?: string;
  readonly state?: string;
  readonly sound?: string;
}

/** `soundferry admin packages`. */
export function packagesCommand(): Command {
  const states = LISTED_STATES.join(", ");
  return withPages(newCommand("admin packages", "Lists packages. --json also has titles and apps."))
    .option("--device <device>", "only those for this computer")
    .option("--state <state>", `only those in this state: ${states}`)
    .option("--sound <sha256>", "only those with this sound")
    .action(async (flags: PackageFlags, command: Command) => {
      const page = pageFrom(flags);
      const { device, state, sound } = flags;
      if (state !== undefined && !LISTED_STATES.some((known) => known === state)) {
        throw new WrongUse(`--state takes one of ${states}.`);
      }
      const sha256 = sound === undefined ? undefined : parseSum(sound);
      await givePage(command, {
        name: "packages",
        words: ["admin", "packages", ...flagged({ device, state, sound })],
        page,
        filter: { device, state, sha256 },
        format: formatPackages,
      });
    });
}

/** `soundferry admin log` (rule AD2). */
export function logCommand(): Command {
  return withPages(
    newCommand("admin log", "Lists what operators did in the last year, newest first."),
  ).action(async (flags: PageFlags, command: Command) => {
    const page = pageFrom(flags);
    if (page.after !== undefined && !/^\d+$/.test(page.after)) {
      throw new WrongUse("--after takes the number of an entry.");
    }
    await givePage(command, {
      name: "log",
      words: ["admin", "log"],
      page,
      format: formatOperations,
    });
  });
}

/** The flags that were given, as words. */
function flagged(flags: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}
