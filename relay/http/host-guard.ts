import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isAllowedHost, needsHostCheck } from "../../core/protocol/judge-host.ts";
import { type Refusal, refusal } from "../../core/protocol/refusal.ts";
import { pathOf } from "./call-log.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** What platforms ask by any name they like, and what says nothing worth stealing. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Why a call must not be answered; undefined if it may. */
export type HostGuard = (request: IncomingMessage) => Refusal | undefined;

export interface HostGuardOptions {
  /** The relay's own names, as `isAllowedHost` takes them. */
  readonly names: readonly string[];
  /** They answer for the names that they forward. */
  readonly proxies: TrustedProxies;
}

/**
 * Refuses calls to names that the relay doesn't have, where a page could have made one up (DNS rebinding, rule C4).
 * HTTP/1.0 without a `Host` passes: no browser sends that. Two are malformed (RFC 9112 §3.2).
 */
export function hostGuard({ names: own, proxies }: HostGuardOptions): HostGuard {
  const isChecked = memoized<Socket>((socket) => {
    const { localAddress } = socket;
    return (
      needsHostCheck({ localAddress, isEncrypted: "encrypted" in socket }) &&
      !proxies.trusts(socket.remoteAddress)
    );
  });
  return ({ url = "", headers, rawHeaders, httpVersion, socket }) => {
    const names = rawHeaders.filter(isHostName).length;
    if (names > 1 || (names === 0 && httpVersion === "1.1")) return refusal("REQUEST_MALFORMED");
    if (!isChecked(socket)) return undefined;
    // A target in absolute form overrides the header (RFC 9112 §3.2.2).
    const [, authority, rest] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
    const host = authority ?? headers.host;
    if (host === undefined || OPEN_PATHS.has(pathOf(rest ?? url))) return undefined;
    const isKnown = isAllowedHost(host, own, socket.localAddress);
    return isKnown ? undefined : refusal("HOST_UNKNOWN");
  };
}

/** Of headers as they came: each name, and then its value. */
function isHostName(text: string, index: number): boolean {
  return index % 2 === 0 && text.length === 4 && text.toLowerCase() === "host";
}

function memoized<Key extends object>(judge: (key: Key) => boolean): (key: Key) => boolean {
  const verdicts = new WeakMap<Key, boolean>();
  return (key) => {
    const verdict = verdicts.get(key) ?? judge(key);
    verdicts.set(key, verdict);
    return verdict;
  };
}
