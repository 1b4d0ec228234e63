import { PROGRAM_FORM, type ProgramForm } from "../../program/own-files.ts";
import { type Finding, note, ok, wrong } from "./finding.ts";
import { isNewEnough, OLDEST_NODE } from "./oldest-node.cjs";
import { PATCHED_NODES, whyUnpatched } from "./patched-node.cjs";

/**
 * Checks the version of Node (rules K6, SEC8).
 * @param passedOver version of an installed Node that `scripts/node.cjs` rejected
 * @param form of the program
 */
export function checkNode(
  version: string,
  passedOver?: string,
  form: ProgramForm = PROGRAM_FORM,
): Finding {
  const sentence = `Node ${version}, at ${process.execPath}.`;
  if (!isNewEnough(version)) {
    const advice = `Node ${OLDEST_NODE} or newer is needed. In a checkout, npm ci installs one: start through npm run.`;
    return wrong("node", sentence, advice);
  }
  const why = whyUnpatched(version);
  const faults = [
    ...(why === undefined ? [] : [`It ${why}.`]),
    ...(passedOver === undefined
      ? []
      : [
          `The installed Node ${passedOver} isn't used: it ${whyUnpatched(passedOver) ?? "is too old"}.`,
        ]),
  ];
  if (faults.length === 0) return ok("node", sentence);
  const advice =
    form === "app"
      ? "Get the newest Soundferry: its Node is inside."
      : `Install Node ${PATCHED_NODES[24]} or ${PATCHED_NODES[26]}, or a later version of the same major, from https://nodejs.org.`;
  return note("node", [sentence, ...faults].join(" "), advice);
}
