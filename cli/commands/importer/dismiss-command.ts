import type { Command } from "commander";
import type { Dismissal } from "../../../addon/runs/importer-calls.ts";
import { newCommand } from "../../command.ts";
import { sentenceOf } from "../../fail.ts";
import { outputFor } from "../../output.ts";
import { withImporter } from "./with-importer.ts";

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
