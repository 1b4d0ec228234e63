import { setTimeout as sleep } from "node:timers/promises";
import { askRelay } from "../../../addon/relay/open-calls.ts";
import type { Credential } from "../../../addon/relay/http-connection.ts";
import { hasTexts, isPairingCode, isPairingRequest } from "../../../addon/relay/relay-answers.ts";
import type { ClaimAnswer } from "../../../core/protocol/public-api.ts";
import { OWN_NAME, type OwnComputer } from "./own-computer.ts";
import type { Visit } from "./visit.ts";

/** How often doctor looks whether the relay wants a yes. */
const LOOK_MS = 250;

/**
 * Pairs an app with doctor's own computer, and says yes to that where the relay asks (rule P12).
 * @throws {RelayError} when the relay refuses
 */
export async function pairOwnApp(visit: Visit, computer: OwnComputer): Promise<Credential> {
  const { http, signal } = visit;
  const { credential } = computer;
  const { instance } = credential;
  const { code } = await askRelay(http, isPairingCode, {
    method: "POST",
    path: "/importer/pairing-code",
    to: credential,
    signal,
  });
  const isOver = new AbortController();
  const claiming = askRelay(http, isClaimed, {
    method: "POST",
    path: "/pair/claim",
    to: { instance },
    body: { code, app_name: OWN_NAME, app_id: `doctor-${computer.deviceId}` },
    signal,
  }).finally(() => isOver.abort());
  const [{ app_token: token }] = await Promise.all([
    claiming,
    allowOwnApp(visit, credential, AbortSignal.any([isOver.signal, signal])),
  ]);
  return { instance, token };
}

/** Until the claim is over. */
async function allowOwnApp(
  { http, signal }: Visit,
  to: Credential,
  over: AbortSignal,
): Promise<void> {
  const path = "/importer/pairing-request";
  for (;;) {
    // An aborted wait is an ended one.
    await sleep(LOOK_MS, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    const { request } = await askRelay(http, isPairingRequest, { method: "GET", path, to, signal });
    if (request === null || request.app_name !== OWN_NAME) continue;
    const body = { request_id: request.request_id, answer: "allow" };
    await askRelay(http, isAnything, { method: "POST", path, to, body, signal });
    return;
  }
}

function isClaimed(body: unknown): body is ClaimAnswer {
  return hasTexts(body, "app_token");
}

function isAnything(_body: unknown): _body is unknown {
  return true;
}
