import { readdir } from "node:fs/promises";
import { backUp } from "../../../relay/operating/back-up.ts";

// Backs up a relay to a small disk, the first argument; the second is JSON with the relay's folder and whether to link.
// Prints as one JSON value why that failed, and what is on the disk then.

const [, , target = "", options = ""] = process.argv;
let failure: unknown;
try {
  await backUp({ ...JSON.parse(options), target });
} catch (error) {
  failure = error;
}
const message = failure instanceof Error ? failure.message : String(failure);
process.stdout.write(JSON.stringify({ message, left: await readdir(target) }));
