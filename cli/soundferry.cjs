#!/usr/bin/env node
"use strict";

// The installed command, in words that Node 10 can read: an older Node fails at the first import of the rest.
const { isNewEnough, OLDEST_NODE } = require("./doctor/oldest-node.cjs");

const { node } = process.versions;
if (isNewEnough(node)) {
  void import("./soundferry.ts");
} else {
  const error = `Soundferry needs Node ${OLDEST_NODE} or later; this is Node ${node}. Install a newer one.`;
  process.stderr.write(`${error}\n`);
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error })}\n`);
  process.exitCode = 1;
}
