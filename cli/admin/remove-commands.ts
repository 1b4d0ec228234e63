import type { Command } from "commander";
import { countOf } from "../../core/text/count-of.ts";
import { newCommand } from "../command.ts";
import { Failure, WrongUse } from "../fail.ts";
import { formatWaiting } from "./format-lists.ts";
import { administer, lookAt } from "./on-relay.ts";

/** `soundferry admin revoke` (rule AD7). */
export function revokeCommand(): Command {
  const description =
    "Revokes tokens. Of a pairing: the app is unpaired, and what waits can still be imported. Of a device: its " +
    "importer and all its apps must pair again, and its packages expire.";
  return newCommand("admin revoke", description)
    .argument("<id>", "a pairing or a device, as admin apps and admin devices list them")
    .action(async (id: string, _flags: object, command: Command) => {
      requireId(id, ["pair", "dev"]);
      await administer(command, async (actions, output) => {
        const { files, waiting } = existing(await actions.revoke(id), id);
        const done = [
          `Revoked ${id}.`,
          ...(files > 0 ? [`Deleted ${countOf(files, "file")} of unfinished uploads.`] : []),
          ...formatWaiting(waiting),
        ];
        output.give({ id, revoked: true, files, waiting }, done.join("\n"));
      });
    });
}

/** `soundferry admin purge` (rule AD7). */
export function purgeCommand(): Command {
  const description = "Deletes a package, or all packages of a device, with their files.";
  return newCommand("admin purge", description)
    .argument("<id>", "a package or a device, as admin packages and admin devices list them")
    .action(async (id: string, _flags: object, command: Command) => {
      requireId(id, ["pkg", "dev"]);
      await administer(command, async (actions, output) => {
        const { files, waiting } = existing(await actions.purge(id), id);
        const done = [`Purged ${id} with ${countOf(files, "file")}.`, ...formatWaiting(waiting)];
        output.give({ id, purged: true, files, waiting }, done.join("\n"));
      });
    });
}

/** `soundferry admin erase` (rule AD8). */
export function eraseCommand(): Command {
  const description =
    "Deletes a device with everything that is stored about it: its apps, its packages and their files. A backup that " +
    "is restored later doesn't bring it back.";
  return newCommand("admin erase", description)
    .argument("<device>", "as admin devices lists it")
    .action(async (id: string, _flags: object, command: Command) => {
      requireId(id, ["dev"]);
      await administer(command, async (actions, output) => {
        const { files, waiting, isOverwritten } = existing(await actions.erase(id), id);
        const done = [
          `Erased ${id} with ${countOf(files, "file")}.`,
          ...formatWaiting(waiting),
          ...(isOverwritten === false ? [STILL_IN_LOG] : []),
          ...(isOverwritten === undefined ? [STILL_IN_POSTGRES] : []),
          "Backups that were made before still have it, until you delete them.",
        ];
        output.give({ device_id: id, erased: true, files, waiting }, done.join("\n"));
      });
    });
}

/** `soundferry admin export` (rule AD8). */
export function exportCommand(): Command {
  const description =
    "Prints everything that is stored about a device, as JSON: records, and the names and sums of its sounds. That " +
    "is logged.";
  return newCommand("admin export", description)
    .argument("<device>", "as admin devices lists it")
    .action(async (id: string, _flags: object, command: Command) => {
      requireId(id, ["dev"]);
      // Logged before it is printed, so that nothing is handed out unseen.
      await lookAt(command, async (view) => void existing(await view.exportDevice(id, 0), id));
      await administer(command, async (actions) => actions.noteExport(id));
      await lookAt(command, async (view, output) => {
        const exported = existing(await view.exportDevice(id, Date.now()), id);
        output.give(exported, JSON.stringify(exported, null, 2));
      });
    });
}

const STILL_IN_LOG =
  "Another program, such as a backup, reads the database, so its log of changes can't be emptied now. The relay " +
  "overwrites it later.";

const STILL_IN_POSTGRES =
  "PostgreSQL overwrites deleted rows when it vacuums, and its log of changes keeps them until it is recycled.";

/** @throws {WrongUse} unless the text has the form of such an id */
export function requireId(text: string, kinds: readonly ("dev" | "pair" | "pkg")[]): void {
  if (kinds.some((kind) => new RegExp(`^${kind}_[\\w-]{22}$`).test(text))) return;
  const forms = kinds.map((kind) => `${kind}_…`).join(" or ");
  throw new WrongUse(`Name an id, ${forms}, not "${text}".`);
}

/** @throws {Failure} if there is no such thing */
export function existing<Found>(found: Found | undefined, id: string): Found {
  if (found === undefined) throw new Failure(`The relay has no ${id}.`);
  return found;
}
