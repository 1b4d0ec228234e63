import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp } from "../../../relay/operating/back-up.ts";

// Backs up a relay of 0.1.0 to a small disk, the first argument; the second is "copy" or "link". Prints as one JSON
// value why that failed, and what is on the disk then.

const OLD = join(import.meta.dirname, "../../../fixtures/data-0.1.0/relay");
const [, , target = "", how] = process.argv;
const dataFolder = await mkdtemp(join(tmpdir(), "soundferry-small-target-"));
await cp(OLD, dataFolder, { recursive: true });
let failure: unknown;
try {
  await backUp({ dataFolder, target, isLinked: how === "link" });
} catch (error) {
  failure = error;
}
await rm(dataFolder, { recursive: true });
const message = failure instanceof Error ? failure.message : String(failure);
process.stdout.write(JSON.stringify({ message, left: await readdir(target) }));
