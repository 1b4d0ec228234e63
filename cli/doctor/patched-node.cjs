"use strict";

// The first Node of each supported major that has the fixes of Node's last security release, which was on 2026-10-21.
// On the day of the next one, take its versions from https://nodejs.org/en/blog/vulnerability; drop a major once its
// support ends. Odd majors get no row: their support ends within months.
const PATCHED_NODES = { 22: "22.23.4", 24: "24.22.1", 26: "26.12.1" };

/**
 * The first patched Node of the same major.
 * @param {string} version such as `24.1.0`
 * @returns {string | undefined} undefined where the table doesn't list that major
 */
function patchedNodeFor(version) {
  return PATCHED_NODES[Number.parseInt(version, 10)];
}

/**
 * Whether that Node has all known security fixes.
 * @param {string} version such as `24.1.0`
 * @returns {boolean}
 */
function isPatchedNode(version) {
  const oldest = patchedNodeFor(version);
  return oldest !== undefined && version.localeCompare(oldest, "en", { numeric: true }) >= 0;
}

module.exports = { PATCHED_NODES, patchedNodeFor, isPatchedNode };
