import type { Command } from "commander";
import type { ImporterCalls } from "../../../addon/importer.ts";
import { newCommand } from "../../command.ts";
import { type Output, outputFor } from "../../output.ts";
import { CODE_ENTERED_TWICE, formatCode } from "../running/format-code.ts";
import { Failure } from "../../fail.ts";
import { formatApps, formatPackages } from "./format-packages.ts";
import { withImporter } from "./with-importer.ts";

/** `soundferry importer code` (rule K5). */
export function codeCommand(): Command {
  const description = "Prints a new pairing code. Replaces the previous code.";
  return askCommand("importer code", description, async (importer, output) => {
    const code = await importer.pairingCode();
    output.give(code, formatCode(code));
  });
}

/** `soundferry importer allow` and `deny` (rule P12). */
export function allowCommand(): Command {
  const description =
    "Lets the app pair that has entered the pairing code. Allow it only if you entered the code just now.";
  return answerCommand("allow", description, (app) => `${app} may pair.`);
}
export function denyCommand(): Command {
  const description = "Keeps the app that has entered the pairing code from pairing.";
  return answerCommand("deny", description, (app) => `${app} can't pair. The code has ended.`);
}

function answerCommand(
  answer: "allow" | "deny",
  description: string,
  format: (app: string) => string,
): Command {
  return askCommand(`importer ${answer}`, description, async (importer, output) => {
    const { request, ended } = await importer.pairingRequest();
    if (request === null) {
      throw new Failure(ended === undefined ? "No app is asking to pair." : CODE_ENTERED_TWICE);
    }
    const { request_id, app_name } = request;
    await importer.answerPairing({ request_id, answer });
    output.give({ request_id, app_name, answer }, format(app_name));
  });
}

/** `soundferry importer apps` (rule K5). */
export function appsCommand(): Command {
  const description = "Lists the apps paired with this computer.";
  return askCommand("importer apps", description, async (importer, output) => {
    const answer = await importer.apps();
    output.give(answer, formatApps(answer.apps));
  });
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
  const description =
    "Lists the packages on the relay and in the inbox. Exits 1 when the relay can't be reached, or no longer knows this computer.";
  return askCommand("importer packages", description, async (importer, output) => {
    const found = await importer.packages();
    output.give(found, formatPackages(found));
    const problem = found.relay_error ?? found.relay_note;
    if (problem === undefined) return;
    output.say(problem);
    process.exitCode = 1;
  });
}

/** A command without arguments. */
function askCommand(
  words: string,
  description: string,
  ask: (importer: ImporterCalls, output: Output) => Promise<void>,
): Command {
  return newCommand(words, description).action(async (_flags: object, command: Command) =>
    withImporter(command, (importer) => ask(importer, outputFor(command.optsWithGlobals()))),
  );
}
