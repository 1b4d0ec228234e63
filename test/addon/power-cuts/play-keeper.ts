import type { Recorded } from "../../sim/disk-call.ts";
import { KEEPERS } from "./keepers.ts";
import { note, recordCalls } from "./record-calls.ts";

/**
 * Runs in a process of its own, with `record-calls.ts` loaded first, and prints the calls of each keeper in a folder
 * of its own.
 */
const all: (readonly Recorded[])[] = [];
for (const [index, folder] of process.argv.slice(2).entries()) {
  const keeper = KEEPERS[index];
  if (keeper === undefined) throw new Error(`No keeper is left for ${folder}.`);
  all.push(await recordCalls(folder, () => keeper.act(folder, note)));
}
process.stdout.write(JSON.stringify(all));
