import type { Command } from "commander";
import { newCommand } from "../command.ts";
import { outputFor } from "../output.ts";
import { formatCode } from "../running/format-code.ts";
import { formatApps, formatPackages } from "./format-packages.ts";
import { withImporter } from "./with-importer.ts";

/** `soundferry importer code` (rule K5). */
export function codeCommand(): Command {
  return newCommand(
    "importer code",
    "Prints a new pairing code. Replaces the previous code.",
  ).action(async (_flags: object, command: Command) =>
    withImporter(command, async (importer) => {
      const code = await importer.pairingCode();
      outputFor(command.optsWithGlobals()).give(code, formatCode(code));
    }),
  );
}

/** `soundferry importer apps` (rule K5). */
export function appsCommand(): Command {
  return newCommand("importer apps", "Lists the apps paired with this computer.").action(
    async (_flags: object, command: Command) =>
      withImporter(command, async (importer) => {
        const answer = await importer.apps();
        outputFor(command.optsWithGlobals()).give(answer, formatApps(answer.apps));
      }),
  );
}

/** `soundferry importer unpair`. */
export function unpairCommand(): Command {
  return newCommand("importer unpair", "Unpairs an app: revokes all its tokens at once.")
    .argument("<pairing_id>", "the app's id, as importer apps lists it")
    .action(async (pairingId: string, _flags: object, command: Command) =>
      withImporter(command, async (importer) => {
        await importer.unpair(pairingId);
        outputFor(command.optsWithGlobals()).give({}, "The app was unpaired.");
      }),
    );
}

/** `soundferry importer packages` (rule K5). */
export function packagesCommand(): Command {
  return newCommand(
    "importer packages",
    "Lists the packages on the relay and in the inbox. Exits 1 when the relay can't be reached.",
  ).action(async (_flags: object, command: Command) =>
    withImporter(command, async (importer) => {
      const output = outputFor(command.optsWithGlobals());
      const found = await importer.packages();
      output.give(found, formatPackages(found));
      if (found.relay_error === undefined) return;
      output.say(found.relay_error);
      process.exitCode = 1;
    }),
  );
}
