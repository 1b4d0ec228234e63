import { KEEPERS } from "./keepers.ts";
import { note, recordCalls } from "./record-calls.ts";

/** Run as a process of its own with `record-calls.ts` loaded first: prints what a keeper did in a folder. */
const [folder = "", title] = process.argv.slice(2);
const keeper = KEEPERS.find((one) => one.title === title);
if (keeper === undefined) throw new Error(`There is no keeper ${title}.`);
const recorded = await recordCalls(folder, () => keeper.act(folder, note));
process.stdout.write(JSON.stringify(recorded));
