import { backUp } from "../../../relay/operating/back-up.ts";

// Backs up a relay to a small disk, the first argument; the second is JSON with the relay's folder and whether to link.
// Prints why that failed.

const [, , target = "", options = ""] = process.argv;
await backUp({ ...JSON.parse(options), target }).catch((error: unknown) => {
  process.stdout.write(String(error));
});
