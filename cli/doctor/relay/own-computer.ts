import { setTimeout as sleep } from "node:timers/promises";
import { askRelay } from "../../../addon/relay/open-calls.ts";
import type { Credential } from "../../../addon/relay/http-connection.ts";
import {
  hasTexts,
  isPairingCode,
  isPairingRequest,
  isRegistered,
} from "../../../core/importer/relay-answers.ts";
import { ForeignAnswerError, refusalIn } from "../../../core/importer/relay-errors.ts";
import { isMarked } from "../../../addon/relay/relay-errors.ts";
import { MAX_JSON_BYTES } from "../../../core/limits.ts";
import type { ClaimAnswer } from "../../../core/protocol/public-api.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { commandLine } from "../../command.ts";
import { CALLS, pathOfFile } from "../../conformance/relay-calls.ts";
import { digestOf, itemOf, makeWav, manifestOf } from "../../conformance/sounds.ts";
import { type Finding, ok, wrong } from "../finding.ts";
import { probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

/** The name of doctor's computer, app and package at the relay, for as long as it looks. */
export const OWN_NAME = "Soundferry doctor";
/** Attempts to remove the computer, where one fails on the way. */
const MAX_REMOVALS = 3;
/** Pause between two looks for the relay's question whether the app may pair. */
const LOOK_MS = 250;
/** One second of silence, which any proxy that compresses would compress. */
const SOUND = { file: "silence.wav", bytes: makeWav({ frames: 44_100 }) };

/** A computer that doctor has registered at the relay. */
export interface OwnComputer {
  readonly deviceId: string;
  readonly credential: Credential;
}

/** A package that waits for its import. */
export interface OwnPackage {
  readonly packageId: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The checksum in hex. */
  readonly sha256: string;
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
  const call = CALLS.register({ device_name: OWN_NAME }, registrationKey);
  const registered = await askRelay(http, isRegistered, { ...call, to: { instance } });
  const { device_id: deviceId, importer_token: token } = registered;
  return { deviceId, credential: { instance, token } };
}

/**
 * Pairs an app with doctor's own computer, and says yes to that where the relay asks (rule P12).
 * @throws {RelayError} when the relay refuses
 */
export async function pairOwnApp(visit: Visit, computer: OwnComputer): Promise<Credential> {
  const { http, signal } = visit;
  const { credential, deviceId } = computer;
  const { instance } = credential;
  const { code } = await askRelay(http, isPairingCode, {
    ...CALLS.newCode(),
    to: credential,
    signal,
  });
  const isOver = new AbortController();
  const call = CALLS.claim({ code, app_name: OWN_NAME, app_id: `doctor-${deviceId}` });
  const claiming = askRelay(http, isClaimed, { ...call, to: { instance }, signal }).finally(() =>
    isOver.abort(),
  );
  const [{ app_token: token }] = await Promise.all([
    claiming,
    allowOwnApp(visit, credential, AbortSignal.any([isOver.signal, signal])),
  ]);
  return { instance, token };
}

/** Looks for the app's request and allows it, until the claim is over. */
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

/** Announces, uploads and commits one small sound, as an app does. @throws {RelayError} when the relay refuses */
export async function sendOwnPackage(visit: Visit, app: Credential): Promise<OwnPackage> {
  const { http, signal } = visit;
  const { file, bytes } = SOUND;
  const manifest = manifestOf([SOUND], {
    title: OWN_NAME,
    source: { app: OWN_NAME },
    items: [itemOf(SOUND, { name: "Silence", kind: "oneshot" })],
  });
  const send = { to: app, signal };
  const announced = await askRelay(http, isAnnounced, { ...CALLS.announce(manifest), ...send });
  const { package_id: packageId } = announced;
  await upload(visit, app, pathOfFile(packageId, file));
  await askRelay(http, isAnnounced, { ...CALLS.commit(packageId), ...send });
  return { packageId, file, bytes, sha256: digestOf(bytes) };
}

async function upload(visit: Visit, { token }: Credential, path: string): Promise<void> {
  const { bytes } = SOUND;
  const { method } = CALLS.upload(path, bytes);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "audio/wav",
    "content-length": String(bytes.byteLength),
  };
  const answer = await probe(visit, { method, path, headers, firstBytes: bytes });
  if (answer === undefined) throw new Error("An upload was not answered in time.");
  const { status, headers: answered, json: body } = answer;
  const { host } = new URL(visit.url);
  if (!isMarked(answered)) {
    throw new ForeignAnswerError({ statusCode: status, headers: answered }, host, true);
  }
  if (status !== 200) throw refusalIn({ status, headers: answered, body }, host);
}

/** Removes the computer, its app and its package, and checks that they are gone; also after Ctrl-C. Never throws. */
export async function removeOwnComputer(
  { http }: Visit,
  { deviceId, credential }: OwnComputer,
): Promise<Finding> {
  const call = { to: credential, maxAnswerBytes: MAX_JSON_BYTES };
  let trouble = "";
  for (let tries = 0; tries < MAX_REMOVALS; tries += 1) {
    try {
      const removed = await http.call({ ...CALLS.remove(), ...call });
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

function isClaimed(body: unknown): body is ClaimAnswer {
  return hasTexts(body, "app_token");
}

function isAnnounced(body: unknown): body is { readonly package_id: string } {
  return hasTexts(body, "package_id");
}

function isAnything(_body: unknown): _body is unknown {
  return true;
}
