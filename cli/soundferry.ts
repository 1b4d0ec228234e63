#!/usr/bin/env node
import module from "node:module";
import { isNewEnough, OLDEST_NODE } from "./doctor/check-node.ts";

const words = process.argv.slice(2);
const { node } = process.versions;

// An older Node stumbles over the first import that it lacks; so nothing more is imported before it is judged.
if (isNewEnough(node)) {
  // What a subcommand loads is compiled once and kept in the temporary folder: it starts in half the time.
  module.enableCompileCache();
  const { runCommand } = await import("./run-command.ts");
  await runCommand(words);
} else {
  const error = `Soundferry needs Node ${OLDEST_NODE} or later; this is Node ${node}. Install a newer one.`;
  process.stderr.write(`${error}\n`);
  if (words.includes("--json")) process.stdout.write(`${JSON.stringify({ error })}\n`);
  process.exitCode = 1;
}
