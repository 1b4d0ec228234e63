"use strict";

/** The oldest Node that runs Soundferry; the same as `engines` in package.json. */
const OLDEST_NODE = "22.22.2";

/**
 * Checks whether Soundferry runs on this version of Node. Compares numbers: comparing texts maps 3 MB of data about languages.
 * @param {string} version such as `24.1.0`
 * @returns {boolean}
 */
function isNewEnough(version) {
  const [own, oldest] = [version, OLDEST_NODE].map((text) =>
    text.split(".").map((part) => Number.parseInt(part, 10)),
  );
  const differs = oldest.findIndex((part, index) => own[index] !== part);
  return differs < 0 || own[differs] > oldest[differs];
}

/**
 * Starts a program, or says in a sentence that this Node is too old.
 * @param {() => Promise<unknown>} start imports the program
 */
function startOnNewNode(start) {
  const { node } = process.versions;
  if (isNewEnough(node)) {
    void start();
    return;
  }
  const error = `Soundferry needs Node ${OLDEST_NODE} or later; this is Node ${node}. Install a newer one.`;
  process.stderr.write(`${error}\n`);
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error })}\n`);
  process.exitCode = 1;
}

module.exports = { OLDEST_NODE, isNewEnough, startOnNewNode };
