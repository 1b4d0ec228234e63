import { askRelay } from "../../../addon/relay/open-calls.ts";
import type { Credential } from "../../../addon/relay/http-connection.ts";
import { hasTexts } from "../../../core/importer/relay-answers.ts";
import { PING_SECONDS } from "../../../core/limits.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { type Finding, notChecked, ok, wrong } from "../finding.ts";
import type { OwnPackage } from "./own-computer.ts";
import type { OwnSocket } from "./own-socket.ts";
import type { Visit } from "./visit.ts";

const LONGER = `Have the proxy wait for ${2 * PING_SECONDS} s or more before it ends a silent connection`;
/** The difference between timers and clocks that is tolerated. */
const SLACK_SECONDS = 0.2;
/** The longest delay of a ping. */
const SPARE_SECONDS = 5;

/**
 * Checks that a long-poll and a WebSocket stay open while nothing is sent on them (rules S8, I3). Both at once, since
 * each takes its time.
 * @param sent waits for its import, so its status stays as it is
 * @param socket undefined if it didn't open
 */
export async function checkOpenForLong(
  visit: Visit,
  {
    app,
    sent,
    socket,
  }: {
    readonly app: Credential;
    readonly sent: OwnPackage;
    readonly socket: OwnSocket | undefined;
  },
): Promise<readonly Finding[]> {
  const { openSeconds, pings } = visit.waits;
  if (openSeconds === 0) {
    return [notChecked("whether silent calls and WebSockets stay open", "--quick leaves it out")];
  }
  const about = pings > 0 ? pings * PING_SECONDS : openSeconds;
  visit.say(`Holding a call and a WebSocket open, for up to ${about} s…`);
  const polling = checkLongPoll(visit, app, sent);
  return (await Promise.all([polling, checkSilence(visit, socket, polling)])).flat();
}

async function checkLongPoll(
  { http, waits, signal }: Visit,
  app: Credential,
  { packageId }: OwnPackage,
): Promise<readonly Finding[]> {
  const startedAt = performance.now();
  const path = `/packages/${encodeURIComponent(packageId)}/status?wait=${waits.openSeconds}`;
  try {
    await askRelay(http, hasStatus, { method: "GET", path, to: app, signal });
    const waitedSeconds = (performance.now() - startedAt) / 1000;
    if (waitedSeconds < waits.openSeconds - SLACK_SECONDS) {
      const because = `the relay answered one after ${Math.round(waitedSeconds)} s; it is stopping, or very busy`;
      return [notChecked("whether silent calls stay open", because)];
    }
    return [ok("long-poll", `A call that waits for ${waits.openSeconds} s is answered.`)];
  } catch (error) {
    signal.throwIfAborted();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const sentence = `A call that should wait for ${waits.openSeconds} s failed after ${seconds} s: ${sentenceOf(error)}`;
    return [wrong("long-poll", sentence, `${LONGER}; in nginx: proxy_read_timeout 75s.`)];
  }
}

async function checkSilence(
  { waits, signal }: Visit,
  socket: OwnSocket | undefined,
  polling: Promise<unknown>,
): Promise<readonly Finding[]> {
  if (socket === undefined) return [];
  const startedAt = performance.now();
  const deadlineMs = (waits.pings * PING_SECONDS + SPARE_SECONDS) * 1000;
  const hasPinged = await socket.until(() => socket.pings >= waits.pings, deadlineMs);
  await polling;
  signal.throwIfAborted();
  if (socket.isClosed) {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const sentence = `The importer's WebSocket was cut within ${seconds} s in which nobody sent anything.`;
    return [wrong("websocket-silence", sentence, `${LONGER}, WebSockets too.`)];
  }
  if (!hasPinged) {
    const sentence = `The relay's pings, every ${PING_SECONDS} s, don't arrive on the importer's WebSocket.`;
    return [wrong("websocket-silence", sentence, "Have the proxy pass on every frame at once.")];
  }
  return [ok("websocket-silence", "A WebSocket stays open while nothing is sent but pings.")];
}

function hasStatus(body: unknown): body is object {
  return hasTexts(body, "status");
}
