import type { Finding } from "./finding.ts";

/** The oldest Node that runs Soundferry; the same as `engines` in package.json. */
export const OLDEST_NODE = "22.22.2";

/** Whether this Node is new enough. */
export function checkNode(version: string): Finding {
  const isNewEnough = version.localeCompare(OLDEST_NODE, "en", { numeric: true }) >= 0;
  const sentence = `Node ${version}, at ${process.execPath}.`;
  if (isNewEnough) return { check: "node", state: "ok", sentence };
  return {
    check: "node",
    state: "wrong",
    sentence,
    advice: `Node ${OLDEST_NODE} or newer is needed. In a checkout, npm ci brings one along: start through npm run.`,
  };
}
