"use strict";

/** The oldest Node that runs Soundferry; the same as `engines` in package.json. */
const OLDEST_NODE = "22.22.2";

/**
 * Checks whether Soundferry runs on this version of Node.
 * @param {string} version such as `24.1.0`
 * @returns {boolean}
 */
function isNewEnough(version) {
  return version.localeCompare(OLDEST_NODE, "en", { numeric: true }) >= 0;
}

module.exports = { OLDEST_NODE, isNewEnough };
