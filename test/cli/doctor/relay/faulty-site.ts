import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import {
  type CallFault,
  HttpCutter,
  type PassingAnswer,
  type PassingCall,
} from "../../../sim/http-cutter.ts";
import type { Finding } from "../../../../cli/doctor/finding.ts";
import { examineRelay, type RelayExamination } from "../../../../cli/doctor/relay/examine-relay.ts";
import type { RunningRelay } from "../../../relay/running-relay.ts";
import { storedKeys } from "../../../relay/http/stored-keys.ts";

/** The fault of a site's proxy. */
export interface SiteFault {
  /** Refuses longer bodies with a page of its own. */
  readonly maxBodyBytes?: number;
  /** Keeps a body until all of it is there. */
  readonly buffersBodies?: boolean;
  /** Gives up on a relay that is silent for so long, once it holds a long-poll. */
  readonly idleMs?: number;
  /** Cuts a WebSocket that is silent for so long, once a package waits. */
  readonly socketIdleMs?: number;
  /** `plain`: passes an upgrade on as a call. `mute`: upgrades, and passes nothing on. */
  readonly upgrades?: "plain" | "mute";
  /** The proxy's treatment of `X-Forwarded-For`. By default the client's address is added to it. */
  readonly forwards?: "whatever the client says" | "nothing";
  readonly strips?: readonly string[];
  /** Adds a header's value a second time. */
  readonly doubles?: string;
  /** Replaces refusals by pages. */
  readonly ownErrorPages?: boolean;
  readonly compresses?: boolean;
  readonly ignoresRange?: boolean;
  readonly redirectsTo?: string;
  /** Answers a GET of its own accord. */
  readonly answers?: { readonly path: string; readonly status: number; readonly text: string };
  /** Refuses these calls, such as `DELETE /importer/me`. */
  readonly refuses?: string;
  /** Changes what it passes on of a JSON answer. */
  readonly changes?: { readonly path: string; readonly body: object };
}

/** The address that the proxy has for the relay: another one than its clients'. */
export const PROXY_ADDRESS = "127.0.3.1";
/** A Mac has only one loopback address. */
export const hasProxyAddress = process.platform !== "darwin";

/**
 * A proxy before a relay. Without a fault it does what a good one does.
 * @param onCall gets each call before it is passed on, such as `POST /packages`
 */
export function startSite(
  relayUrl: string,
  fault: SiteFault = {},
  onCall: (call: string) => void = () => {},
): Promise<HttpCutter> {
  return HttpCutter.to(relayUrl, {
    localAddress: PROXY_ADDRESS,
    fault: (call) => {
      if (!call.isUpgrade) onCall(`${call.method} ${call.path}`);
      return faultOf(fault, call);
    },
    change: (answer, call) => changed(fault, answer, call),
    join: (caller, target) => {
      joinSockets(fault, caller, target);
    },
  });
}

function faultOf(fault: SiteFault, call: PassingCall): CallFault | undefined {
  const { maxBodyBytes = Infinity, redirectsTo, answers, refuses } = fault;
  const { method, path, headers, isUpgrade } = call;
  if (isUpgrade) {
    forward(fault, call);
    return fault.upgrades === "plain" ? { status: 404 } : undefined;
  }
  if (redirectsTo !== undefined) return { status: 301, headers: { location: redirectsTo + path } };
  if (refuses === `${method} ${path}`) return { status: 403 };
  if (answers?.path === path && method === "GET") {
    return { status: answers.status, body: answers.text };
  }
  if (Number(headers["content-length"] ?? 0) > maxBodyBytes) {
    const body = "<h1>413 Request Entity Too Large</h1>";
    return { status: 413, headers: { connection: "close" }, body };
  }
  forward(fault, call);
  if (fault.buffersBodies === true) return "hold body";
  const isHeld = fault.idleMs !== undefined && path.includes("?wait=");
  return isHeld ? { idleMs: fault.idleMs } : undefined;
}

function forward({ forwards, ignoresRange }: SiteFault, { headers, from, isUpgrade }: PassingCall) {
  const said = headers["x-forwarded-for"];
  const added = said === undefined ? from : `${String(said)}, ${from}`;
  const way = forwards === "whatever the client says" ? (said ?? from) : added;
  delete headers["x-forwarded-for"];
  if (forwards === "nothing") headers.via = "1.1 site";
  else headers["x-forwarded-for"] = way;
  if (!isUpgrade) headers.connection = "keep-alive";
  if (ignoresRange === true) delete headers.range;
}

async function changed(
  fault: SiteFault,
  answer: PassingAnswer,
  { path }: PassingCall,
): Promise<string | Buffer | undefined> {
  const { status, headers, body } = answer;
  for (const name of fault.strips ?? []) delete headers[name];
  if (fault.doubles !== undefined) {
    headers[fault.doubles] = `${String(headers[fault.doubles])}, ${String(headers[fault.doubles])}`;
  }
  const { changes } = fault;
  const isCompressed = fault.compresses === true && headers["content-type"] === "audio/wav";
  const instead =
    fault.ownErrorPages === true && status >= 400
      ? "<h1>Sorry</h1>"
      : changes?.path === path && status === 200
        ? JSON.stringify(changes.body)
        : isCompressed && status === 200
          ? gzipSync(await buffer(body))
          : undefined;
  if (instead === undefined) return undefined;
  delete headers["content-length"];
  if (instead === "<h1>Sorry</h1>") headers["content-type"] = "text/html";
  else if (typeof instead !== "string") headers["content-encoding"] = "gzip";
  return instead;
}

function joinSockets({ upgrades, socketIdleMs }: SiteFault, caller: Duplex, target: Socket): void {
  if (upgrades === "mute") {
    target.once("data", (handshake: Buffer) => {
      caller.write(handshake.subarray(0, handshake.indexOf("\r\n\r\n") + 4));
      target.resume();
      caller.resume();
    });
  } else target.pipe(caller).pipe(target);
  target.on("data", (bytes: Buffer) => {
    if (socketIdleMs === undefined || !bytes.includes("packages.changed")) return;
    target.setTimeout(socketIdleMs, () => target.destroy());
  });
}

/** Silent for as long as a test can wait. The relay's pings come later. */
export const BRIEF = { answerMs: 3000, openSeconds: 0.5, pings: 0 } as const;

/** Examines what is at an address. */
export function examineSite(
  url: string,
  options: Partial<RelayExamination> = {},
): Promise<readonly Finding[]> {
  return examineRelay({
    url,
    waits: BRIEF,
    registrationKey: undefined,
    say: () => {},
    signal: new AbortController().signal,
    ...options,
  });
}

/** The findings that aren't ok, such as `upload-limit wrong`. */
export function troublesIn(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ state }) => state !== "ok")
    .map(({ check, state }) => `${check} ${state}`);
}

/** Lists the ids of devices and the keys of sounds that a relay still has. An upload that was cut off goes a moment later. */
export async function leftAt(relay: RunningRelay): Promise<readonly string[]> {
  const { pairings } = relay.relay.context;
  const devices = await pairings.listDevices({ unseenSince: Number.MAX_SAFE_INTEGER });
  return [...devices, ...(await storedKeys(relay))];
}
