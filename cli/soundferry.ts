#!/usr/bin/env node
import module from "node:module";
import { isNewEnough, OLDEST_NODE } from "./doctor/check-node.ts";

const words = process.argv.slice(2);
const { node } = process.versions;

// An older Node fails at the first missing import, so everything else is imported after this check.
if (isNewEnough(node)) {
  // Caches compiled modules in the temporary folder, which halves the start-up time.
  module.enableCompileCache();
  const { runCommand } = await import("./run-command.ts");
  await runCommand(words);
} else {
  const error = `Soundferry needs Node ${OLDEST_NODE} or later; this is Node ${node}. Install a newer one.`;
  process.stderr.write(`${error}\n`);
  if (words.includes("--json")) process.stdout.write(`${JSON.stringify({ error })}\n`);
  process.exitCode = 1;
}
