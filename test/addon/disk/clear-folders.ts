import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";

// Run by `leftovers.test.ts` in a process that can't read everything: cleans a sounds folder and prints what is reported.

const [root = ""] = process.argv.slice(2);
try {
  await new SoundsFolder(root).clearEmpty({ keep: "", now: Date.now() });
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : "");
}
