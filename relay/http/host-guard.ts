import type { IncomingMessage } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";
import { isAllowedHost, needsHostCheck } from "../../core/protocol/judge-host.ts";
import { type Refusal, refusal } from "../../core/protocol/refusal.ts";
import { pathOf } from "./call-log.ts";
import { isLan } from "./lan/lan-socket.ts";

/** Paths that a platform may probe by any host name, and from any address: their answers reveal nothing. */
export const PROBE_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Returns why a call must not be answered; undefined if it may. */
export type HostGuard = (request: IncomingMessage) => Refusal | undefined;

interface HostGuardOptions {
  /** The relay's own names, as `isAllowedHost` takes them. */
  readonly names: readonly string[];
  /** More names of its own on connections from the local network (rule LAN4). */
  readonly lanNames: readonly string[];
  /** Proxies that check the names that they forward. */
  readonly proxies: TrustedProxies;
}

/**
 * Refuses calls to names that the relay doesn't have, where a page could have made one up (DNS rebinding, rule C4).
 * HTTP/1.0 without a `Host` passes: no browser sends that. Two are malformed (RFC 9112 §3.2).
 */
export function hostGuard({ names, lanNames, proxies }: HostGuardOptions): HostGuard {
  const namesInLan = [...names, ...lanNames];
  const knownOf = (socket: KnownSocket): KnownHost =>
    (socket[KNOWN_HOST] ??= {
      isChecked:
        needsHostCheck({ localAddress: socket.localAddress, isEncrypted: "encrypted" in socket }) &&
        (isLan(socket) || !proxies.trusts(socket.remoteAddress)),
      allowed: undefined,
    });
  return ({ url = "", headers: { host }, rawHeaders, httpVersion, socket }) => {
    const hosts = countHosts(rawHeaders);
    if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) return refusal("REQUEST_MALFORMED");
    const known = knownOf(socket);
    if (!known.isChecked || host === undefined || host === known.allowed) return undefined;
    if (PROBE_PATHS.has(pathOf(url))) return undefined;
    const own = isLan(socket) ? namesInLan : names;
    if (!isAllowedHost(host, own, socket.localAddress)) return refusal("HOST_UNKNOWN");
    known.allowed = host;
    return undefined;
  };
}

/** Returns a computer's name among devices in the same network (multicast DNS), such as `studio.local`. */
export function localNameOf(hostName: string): string {
  return `${hostName.toLowerCase().replace(/\..*$/, "")}.local`;
}

/** Returns the names by which devices in the same network may know a computer. */
export function lanNamesOf(hostName: string): readonly string[] {
  const local = localNameOf(hostName);
  return [hostName.toLowerCase(), local.replace(".local", ""), local];
}

const KNOWN_HOST = Symbol("known host");

type KnownSocket = Socket & { [KNOWN_HOST]?: KnownHost };

/** The facts that all calls of a connection share. */
interface KnownHost {
  readonly isChecked: boolean;
  /** The name of an earlier call, which was allowed: nearly every call repeats it. */
  allowed: string | undefined;
}

/** Counts the `Host` headers. In raw headers each name comes before its value. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}

/** The proxies whose `X-Forwarded-For` is trusted. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** @param proxies addresses and CIDRs */
  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) {
      const [address = "", bits] = proxy.split("/");
      if (bits === undefined) this.#list.addAddress(address, familyOf(address));
      else this.#list.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** @param address also an IPv4 address mapped into IPv6 */
  trusts(address = ""): boolean {
    const bare = address.replace(/^::ffff:(?=\d+\.)/i, "");
    return isIP(bare) !== 0 && this.#list.check(bare, familyOf(bare));
  }

  /**
   * Returns the client's address, as Fastify finds it: the nearest one that is no trusted proxy's, of the connection's
   * and those in `X-Forwarded-For`. It is for requests that never reach Fastify.
   */
  clientOf({ socket, headers }: Pick<IncomingMessage, "headers" | "socket">): string {
    const { remoteAddress = "" } = socket;
    const way = [...String(headers["x-forwarded-for"] ?? "").split(","), remoteAddress];
    const addresses = way.flatMap((address) => address.trim() || []);
    return addresses.findLast((address) => !this.trusts(address)) ?? addresses[0] ?? "";
  }
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
