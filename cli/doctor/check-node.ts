import type { Finding } from "./finding.ts";

/** The oldest Node that runs Soundferry; the same as `engines` in package.json. */
export const OLDEST_NODE = "22.22.2";

/** Whether Soundferry runs on that Node, such as `24.1.0`. */
export function isNewEnough(version: string): boolean {
  return version.localeCompare(OLDEST_NODE, "en", { numeric: true }) >= 0;
}

/** What `doctor` says of this Node. */
export function checkNode(version: string): Finding {
  const sentence = `Node ${version}, at ${process.execPath}.`;
  if (isNewEnough(version)) return { check: "node", state: "ok", sentence };
  return {
    check: "node",
    state: "wrong",
    sentence,
    advice: `Node ${OLDEST_NODE} or newer is needed. In a checkout, npm ci installs one: start through npm run.`,
  };
}
