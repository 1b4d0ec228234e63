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
import {
  flagged,
  givePage,
  lookAt,
  type PageFlags,
  pageInTime,
  parseSum,
  withPages,
} from "./on-relay.ts";

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

interface DeviceFlags extends PageFlags {
  readonly name?: string;
  readonly neverPaired?: boolean;
}

/** `soundferry admin devices`. */
export function devicesCommand(): Command {
  return withPages(
    newCommand("admin devices", "Lists the computers that are registered, newest first."),
  )
    .option("--name <part>", "only those with this in their name")
    .option("--never-paired", "only those that no app was ever paired with")
    .action(async (flags: DeviceFlags, command: Command) => {
      const page = pageInTime(flags);
      const { name } = flags;
      const onlyUnpaired = flags.neverPaired === true;
      await givePage(command, {
        name: "devices",
        words: [
          "admin",
          "devices",
          ...flagged({ name }),
          ...(onlyUnpaired ? ["--never-paired"] : []),
        ],
        page,
        filter: { onlyUnpaired, name },
        format: formatDevices,
      });
    });
}

interface AppFlags extends PageFlags {
  readonly device?: string;
  readonly name?: string;
}

/** `soundferry admin apps`. */
export function appsCommand(): Command {
  return withPages(newCommand("admin apps", "Lists the apps that are paired, newest first."))
    .option("--device <device>", "only those of this computer")
    .option("--name <part>", "only those with this in their name")
    .action(async (flags: AppFlags, command: Command) => {
      const page = pageInTime(flags);
      const { device, name } = flags;
      await givePage(command, {
        name: "apps",
        words: ["admin", "apps", ...flagged({ device, name })],
        page,
        filter: { device, name },
        format: formatApps,
      });
    });
}

interface PackageFlags extends PageFlags {
  readonly device?: string;
  readonly app?: string;
  readonly title?: string;
  readonly state?: string;
  readonly sound?: string;
}

/** `soundferry admin packages`. */
export function packagesCommand(): Command {
  const states = LISTED_STATES.join(", ");
  return withPages(newCommand("admin packages", "Lists packages, newest first."))
    .option("--device <device>", "only those for this computer")
    .option("--app <pairing>", "only those of this app")
    .option("--title <part>", "only those with this in their title")
    .option("--state <state>", `only those in this state: ${states}`)
    .option("--sound <sha256>", "only those with this sound")
    .action(async (flags: PackageFlags, command: Command) => {
      const page = pageInTime(flags);
      const { device, app, title, state, sound } = flags;
      if (state !== undefined && !LISTED_STATES.some((known) => known === state)) {
        throw new WrongUse(`--state takes one of ${states}.`);
      }
      const sha256 = sound === undefined ? undefined : parseSum(sound);
      await givePage(command, {
        name: "packages",
        words: ["admin", "packages", ...flagged({ device, app, title, state, sound })],
        page,
        filter: { device, app, title, state, sha256 },
        format: formatPackages,
      });
    });
}

/** `soundferry admin log` (rule AD2). */
export function logCommand(): Command {
  return withPages(
    newCommand("admin log", "Lists what operators did in the last year, newest first."),
  ).action(async (flags: PageFlags, command: Command) => {
    const page = pageInTime(flags);
    await givePage(command, {
      name: "log",
      words: ["admin", "log"],
      page,
      format: formatOperations,
    });
  });
}
