import type { Command } from "commander";
import { newCommand, withJson, withSubcommands } from "../command.ts";

/** `soundferry live-set`: files that Live opens (rules K2, K5, LS20). */
export function liveSetCommand(): Command {
  const command = newCommand(
    "live-set",
    "Works with Live Sets, the files of Ableton Live. It was not yet tried with a real Live.",
  );
  const check = newCommand(
    "live-set check",
    "Says what Live would refuse in a Set: order, presence, types, ids, slots, markers, files. Changes nothing. " +
      "Exits with 1 if anything is wrong, with 2 if a file can't be read. A Set without findings was not yet " +
      "opened in a real Live.",
  )
    .argument("<file...>", "Sets (.als), compressed or not")
    .action(async (files: readonly string[], _flags, command: Command) => {
      const { checkSets } = await import("./live-set/check-sets.ts");
      await checkSets(files, command.optsWithGlobals());
    });
  return withJson(withSubcommands(command, [check]));
}
