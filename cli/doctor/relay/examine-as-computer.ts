import { askRelay } from "../../../addon/relay/open-calls.ts";
import { isRenamed } from "../../../core/importer/relay-answers.ts";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import { MAX_JSON_BYTES } from "../../../core/limits.ts";
import { JSON_SIZE } from "../../../core/text/format-limit.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { type Finding, isWrong, notChecked, ok, OWN_ANSWER, wrong } from "../finding.ts";
import { checkAddress } from "./check-address.ts";
import { checkDownload } from "./check-download.ts";
import { checkOpenForLong } from "./check-open-for-long.ts";
import {
  pairOwnApp,
  OWN_NAME,
  type OwnComputer,
  registerOwnComputer,
  removeOwnComputer,
  sendOwnPackage,
} from "./own-computer.ts";
import { OwnSocket } from "./own-socket.ts";
import { troubleIsAFinding, type Visit } from "./visit.ts";

/** The checks that need a computer and an app that the relay knows. */
export const AS_COMPUTER =
  "addresses, JSON of the largest size, the WebSocket, pairing, uploads, downloads, silent connections";

/** A step that later checks build on. */
interface Step {
  readonly check: string;
  /** Sentences; the reason follows the second. */
  readonly done: string;
  readonly failed: string;
  readonly advice: string;
}

const SOCKET: Step = {
  check: "websocket",
  done: "The importer's WebSocket opens.",
  failed: "The importer's WebSocket doesn't open.",
  advice:
    "Have the proxy pass on upgrades of /importer/socket; in nginx: proxy_http_version 1.1, and the headers Upgrade and Connection.",
};
const PAIRING: Step = {
  check: "pairing",
  done: "An app can be paired.",
  failed: "No app could be paired.",
  advice: "See the relay's log; soundferry admin switch shows whether claims are switched off.",
};
const SENDING: Step = {
  check: "sending",
  done: "A sound can be sent.",
  failed: "No sound could be sent.",
  advice: "See the logs of the relay and of the proxy, and whether that lets PUT and POST through.",
};

/**
 * Registers a computer, pairs an app with it and sends a sound through, then removes it all, whatever happens.
 * @param instance as `hello` named it
 * @throws {unknown} the reason of the visit's signal, once all is removed
 */
export async function examineAsComputer(
  visit: Visit,
  instance: string | undefined,
): Promise<readonly Finding[]> {
  visit.signal.throwIfAborted();
  let computer: OwnComputer;
  try {
    computer = await registerOwnComputer(visit, instance);
  } catch (error) {
    return [notRegistered(error)];
  }
  const [examined] = await Promise.allSettled([examineWith(visit, computer)]);
  const removed = await removeOwnComputer(visit, computer);
  if (examined.status === "fulfilled") return [...examined.value, removed];
  if (isWrong(removed)) visit.say(`${removed.sentence} ${removed.advice}`);
  throw examined.reason;
}

/** A relay may well keep strangers out. */
function notRegistered(error: unknown): Finding {
  const isByKey = error instanceof RelayError && error.code === "REGISTRATION_KEY_WRONG";
  const because = isByKey
    ? "registering a computer needs --registration-key"
    : `no computer could be registered (${sentenceOf(error).replace(/\.$/, "")})`;
  return notChecked(AS_COMPUTER, because);
}

async function examineWith(visit: Visit, computer: OwnComputer): Promise<readonly Finding[]> {
  const findings = [
    ...(await troubleIsAFinding(visit, () => checkAddress(visit, computer))),
    ...(await checkJsonBody(visit, computer)),
  ];
  const take = async <Value>(step: Step, make: () => Promise<Value>) => {
    try {
      const value = await make();
      findings.push(ok(step.check, step.done));
      return value;
    } catch (error) {
      visit.signal.throwIfAborted();
      findings.push(wrong(step.check, `${step.failed} ${sentenceOf(error)}`, step.advice));
      return undefined;
    }
  };
  using socket = await take(SOCKET, () => OwnSocket.open(visit, computer));
  const app = await take(PAIRING, () => pairOwnApp(visit, computer));
  if (app === undefined) {
    return [...findings, notChecked("sending, downloads, silent connections", "no app is paired")];
  }
  if (socket !== undefined) findings.push(await checkNotification(visit, socket));
  const sent = await take(SENDING, () => sendOwnPackage(visit, app));
  if (sent === undefined) {
    return [...findings, notChecked("downloads, silent connections", "no sound was sent")];
  }
  return [
    ...findings,
    ...(await checkDownload(visit, computer, sent)),
    ...(await checkOpenForLong(visit, { app, sent, socket })),
  ];
}

/** The pairing was announced on the WebSocket. */
async function checkNotification({ waits }: Visit, socket: OwnSocket): Promise<Finding> {
  if (await socket.until(() => socket.hasHeard("apps.changed"), waits.answerMs)) {
    return ok("notification", "The relay's notifications arrive on the WebSocket.");
  }
  const sentence = `A notification didn't arrive on the WebSocket within ${waits.answerMs / 1000} s.`;
  return wrong("notification", sentence, "Have the proxy pass on every frame at once.");
}

/** Checks that a JSON body as large as the relay takes them reaches it: a rename, with a member that it ignores. */
async function checkJsonBody(
  { http, signal }: Visit,
  { credential }: OwnComputer,
): Promise<readonly Finding[]> {
  const empty = JSON.stringify({ device_name: OWN_NAME, padding: "" });
  const body = { device_name: OWN_NAME, padding: "x".repeat(MAX_JSON_BYTES - empty.length) };
  try {
    const call = { method: "PATCH", path: "/importer/me", to: credential, body, signal };
    await askRelay(http, isRenamed, call);
    return [ok("json-limit", `JSON of ${JSON_SIZE} reaches the relay.`)];
  } catch (error) {
    signal.throwIfAborted();
    const sentence = `JSON of ${JSON_SIZE}, as large as manifests and results can be, doesn't reach the relay: ${sentenceOf(error)}`;
    const isTooLong = error instanceof RelayError && error.status === 413;
    if (!isTooLong) return [wrong("json-limit", sentence, OWN_ANSWER)];
    const advice = `Raise the proxy's limit for bodies to ${JSON_SIZE} or more; uploads need more still.`;
    return [wrong("json-limit", sentence, advice)];
  }
}
