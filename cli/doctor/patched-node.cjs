"use strict";

// The first Node of each supported major that has the fixes of Node's last security release, which was on 2026-10-21.
// On the day of the next one, take its versions from https://nodejs.org/en/blog/vulnerability; drop a major once its
// support ends. Odd majors get no row: their support ends within months.
const PATCHED_NODES = { 22: "22.23.4", 24: "24.22.1", 26: "26.12.1" };

// What the last security release fixed in the packaged Node's major, all in the version above. Checked on 2026-11-29 against
// the OSV records for 26.12.1 and reports of others, not against nodejs.org itself. Other majors have fewer of them.
const ADVISORIES = {
  26: [
    "CVE-2026-105481",
    "CVE-2026-105482",
    "CVE-2026-105483",
    "CVE-2026-106069",
    "CVE-2026-106070",
    "CVE-2026-106071",
    "CVE-2026-106072",
    "CVE-2026-106073",
    "CVE-2026-106074",
    "CVE-2026-111497",
  ],
};

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

/**
 * Why a Node isn't patched, as the end of a sentence that begins with it; undefined if it is. Names the advisories, if they
 * are known (rule SEC8).
 * @param {string} version such as `24.1.0`
 * @returns {string | undefined}
 */
function whyUnpatched(version) {
  if (isPatchedNode(version)) return undefined;
  const oldest = patchedNodeFor(version);
  if (oldest === undefined) return "belongs to a major that isn't known to get security fixes";
  const named = ADVISORIES[Number.parseInt(version, 10)];
  const fixes = `lacks the security fixes of Node ${oldest}`;
  return named === undefined ? fixes : `${fixes} (${named.join(", ")})`;
}

module.exports = { ADVISORIES, PATCHED_NODES, patchedNodeFor, isPatchedNode, whyUnpatched };
