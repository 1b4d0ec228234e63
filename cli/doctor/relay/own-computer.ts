import { registerImporter } from "../../../addon/relay/open-calls.ts";
import type { Credential } from "../../../addon/relay/http-connection.ts";
import { MAX_JSON_BYTES } from "../../../core/limits.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { commandLine } from "../../command.ts";
import { type Finding, ok, wrong } from "../finding.ts";
import type { Visit } from "./visit.ts";

/** How its computer and its app are called at the relay, for as long as it looks. */
export const OWN_NAME = "Soundferry doctor";
/** How often doctor asks to be forgotten, where that fails on the way. */
const MAX_REMOVALS = 3;

/** A computer that doctor has registered at the relay. */
export interface OwnComputer {
  readonly deviceId: string;
  readonly credential: Credential;
}

/**
 * Registers a computer. Ctrl-C doesn't end that: a computer whose token never arrived couldn't be removed.
 * @param instance as `hello` named it
 * @throws {RelayError} when the relay refuses, such as without its registration key
 */
export async function registerOwnComputer(
  { http, registrationKey }: Visit,
  instance: string | undefined,
): Promise<OwnComputer> {
  const { device_id: deviceId, importer_token: token } = await registerImporter(http, {
    deviceName: OWN_NAME,
    registrationKey,
    instance,
  });
  return { deviceId, credential: { instance, token } };
}

/** Removes the computer, its app and its package, and makes sure that they are gone; also after Ctrl-C. Never throws. */
export async function removeOwnComputer(
  { http }: Visit,
  { deviceId, credential }: OwnComputer,
): Promise<Finding> {
  const call = { to: credential, maxAnswerBytes: MAX_JSON_BYTES };
  let trouble = "";
  for (let tries = 0; tries < MAX_REMOVALS; tries += 1) {
    try {
      const removed = await http.call({ method: "DELETE", path: "/importer/me", ...call });
      // The token of a computer that is gone is refused.
      const after = await http.call({ method: "GET", path: "/importer/apps", ...call });
      if (after.status === 401) return ok("cleanup", "What this examination created is removed.");
      trouble = `${removed.status}, then ${after.status}`;
    } catch (error) {
      trouble = sentenceOf(error);
    }
  }
  return wrong(
    "cleanup",
    `The computer ${deviceId}, which this examination registered, couldn't be removed: ${trouble}`,
    `On the relay's computer, run: ${commandLine(["admin", "erase", deviceId])}`,
  );
}
