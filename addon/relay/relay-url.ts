import { BlockList, isIP } from "node:net";
import { URL } from "node:url";

/** Longest host name that DNS allows. */
const MAX_HOST_CHARACTERS = 253;

/**
 * Parses a relay's address as a person types it; the default scheme is `https://`. Accepts `http://`
 * only for `localhost` and loopback, private and link-local IP addresses, where the token stays in a
 * trusted network.
 * @returns the normalized address without a trailing slash, the key of stored identities
 * @throws {Error} whose message continues a sentence that starts with the setting's name
 */
export function parseRelayUrl(text: string): string {
  const trimmed = text.trim();
  const url = tryUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol);
  if (!isUsable || url.hostname.length > MAX_HOST_CHARACTERS) {
    throw new Error(`must be the address of a relay, such as https://relay.example.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new Error("must be a plain address, without a user, a question mark or a #.");
  }
  if (url.protocol === "http:" && !isNearby(url.hostname)) {
    throw new Error(
      "must begin with https://; http:// is only for this computer and private addresses, such as 192.168.1.20.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

function tryUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const NEARBY = new BlockList();
NEARBY.addSubnet("127.0.0.0", 8);
NEARBY.addSubnet("10.0.0.0", 8);
NEARBY.addSubnet("172.16.0.0", 12);
NEARBY.addSubnet("192.168.0.0", 16);
NEARBY.addSubnet("169.254.0.0", 16);
NEARBY.addAddress("::1", "ipv6");
NEARBY.addSubnet("fc00::", 7, "ipv6");
NEARBY.addSubnet("fe80::", 10, "ipv6");

/** Returns whether a host is this computer, or an address that only a private network has. */
export function isNearby(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  const address = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(address);
  return family !== 0 && NEARBY.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Addresses that no service on the internet has, besides the nearby ones. */
const SPECIAL = new BlockList();
SPECIAL.addSubnet("0.0.0.0", 8);
SPECIAL.addSubnet("100.64.0.0", 10);
SPECIAL.addSubnet("192.0.0.0", 24);
SPECIAL.addSubnet("198.18.0.0", 15);
SPECIAL.addSubnet("224.0.0.0", 3);
SPECIAL.addAddress("::", "ipv6");
SPECIAL.addSubnet("ff00::", 8, "ipv6");
// These carry an IPv4 address, which may be private.
SPECIAL.addSubnet("64:ff9b::", 96, "ipv6");
SPECIAL.addSubnet("64:ff9b:1::", 48, "ipv6");
SPECIAL.addSubnet("2002::", 16, "ipv6");
SPECIAL.addSubnet("2001::", 32, "ipv6");

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addSubnet("0.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");
LOOPBACK.addAddress("::", "ipv6");

/** Returns whether an IP address is public: neither this computer's nor a private network's. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && !isNearby(address) && !SPECIAL.check(address, family);
}

/**
 * Returns whether a server at one IP address may redirect the importer to another; never to an address that is nearer
 * to this computer.
 */
export function maySendTo(address: string, from: string | undefined): boolean {
  if (isPublicAddress(address)) return true;
  if (from === undefined || isPublicAddress(from)) return false;
  return !isLoopback(address) || isLoopback(from);
}

function isLoopback(address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && LOOPBACK.check(address, family);
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const family = isIP(address);
  if (family === 0) return undefined;
  return family === 6 ? "ipv6" : "ipv4";
}
