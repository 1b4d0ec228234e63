import type { Command } from "commander";
import type { ImporterCalls } from "../../../addon/importer.ts";
import type { Dismissal, PackagesToImport } from "../../../addon/runs/importer-calls.ts";
import type { InboxPackage, UsableInboxPackage } from "../../../addon/state/importer-state.ts";
import type { ImportablePackage, PairedApp } from "../../../core/protocol/importer-api.ts";
import { isOnlySaved } from "../../../core/protocol/package-status.ts";
import { formatTable } from "../../../core/text/text-table.ts";
import { newCommand } from "../../command.ts";
import { Failure, sentenceOf } from "../../fail.ts";
import { minuteOf } from "../../format.ts";
import { type Output, outputFor } from "../../output.ts";
import { CODE_ENTERED_TWICE, formatCode } from "./pairing-code.ts";
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
  return newCommand(
    "importer unpair",
    "Unpairs an app: revokes all its tokens at once, and deletes its packages that wait.",
  )
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
    "Lists the packages on the relay, in the inbox and in the sounds folder. Exits 1 when the relay can't be reached, or no longer knows this computer.";
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

/** `soundferry importer dismiss` (rule R12). */
export function dismissCommand(): Command {
  return newCommand(
    "importer dismiss",
    "Dismisses packages: they no longer wait for Import. Their apps get a report, unless a package was imported before.",
  )
    .argument(
      "<package...>",
      "ids of packages on the relay or in the inbox, or folders in the inbox",
    )
    .option("--undo", "let dismissed packages wait again")
    .action(async (sources: readonly string[], flags: { undo?: boolean }, command: Command) =>
      withImporter(command, async (importer) => {
        const packages: Dismissal[] = [];
        const failures: { readonly source: string; readonly error: string }[] = [];
        for (const source of sources) {
          try {
            const { undo = false } = flags;
            packages.push(await (undo ? importer.undoDismiss(source) : importer.dismiss(source)));
          } catch (error) {
            failures.push({ source, error: sentenceOf(error) });
          }
        }
        const output = outputFor(command.optsWithGlobals());
        for (const { source, error } of failures) output.say(`${source}: ${error}`);
        output.give(
          { packages, ...(failures.length > 0 && { failures }) },
          packages.map(formatDismissal).join("\n"),
        );
        if (failures.length > 0) process.exitCode = 1;
      }),
    );
}

function formatDismissal({ title, dismissed, report }: Dismissal): string {
  if (!dismissed) return `${title} waits for Import again.`;
  if (report === null) return `${title} was dismissed.`;
  return report === "sent"
    ? `${title} was dismissed. Its app can read that.`
    : `${title} was dismissed. Its app can read that once the relay is back online.`;
}

/** Formats the packages of relay, inbox and sounds folder as a table, with the ids that `importer import` takes. */
function formatPackages(found: PackagesToImport): string {
  const { packages, local, saved = [], dismissed = [] } = found;
  if (packages.length + local.length + saved.length === 0) return "No packages waiting.";
  const headings = ["Package", "Title", "From", "Sounds", "Status"];
  const ids = new Set(dismissed);
  const rows = [
    ...packages.map((one) => relayRow(one, ids)),
    ...local.map((one) => localRow(one, ids)),
    ...saved.map((one) => savedRow(one, ids)),
  ];
  return formatTable(
    headings.map((heading) => ({ heading, align: heading === "Sounds" ? "right" : "left" })),
    rows,
  ).join("\n");
}

function relayRow(
  { package_id, manifest, app_name, status, taken, results }: ImportablePackage,
  dismissed: ReadonlySet<string>,
): string[] {
  const isDismissed = dismissed.has(package_id);
  const known = isOnlySaved(results) ? "saved" : status;
  const state = isDismissed ? "dismissed" : taken ? `${known}, being imported` : known;
  return [package_id, manifest.title, app_name, String(manifest.items.length), state];
}

function localRow(local: InboxPackage, dismissed: ReadonlySet<string>): string[] {
  if ("error" in local) return [local.folder, "–", "inbox", "–", local.error];
  const { title, items } = local.manifest;
  const known = isOnlySaved(local.results) ? "saved" : "imported";
  const done = local.imported ? known : "waiting";
  const state = dismissed.has(local.package_id) ? "dismissed" : done;
  return [local.folder, title, "inbox", String(items.length), state];
}

function savedRow(saved: UsableInboxPackage, dismissed: ReadonlySet<string>): string[] {
  const [, title = "", , sounds = "", state = ""] = localRow(saved, dismissed);
  return [saved.package_id, title, "sounds folder", sounds, state === "waiting" ? "saved" : state];
}

/** Formats the paired apps as a table, with the ids that `importer unpair` takes. */
function formatApps(apps: readonly PairedApp[]): string {
  if (apps.length === 0) return "No paired apps.";
  return formatTable(
    ["App", "Paired", "Last seen", "Waiting", "Id"].map((heading) => ({ heading, align: "left" })),
    apps.map(({ app_name, paired_at, last_seen_at, waiting_packages, pairing_id }) => [
      app_name,
      minuteOf(paired_at),
      minuteOf(last_seen_at),
      String(waiting_packages),
      pairing_id,
    ]),
  ).join("\n");
}
