/** The facts about a connection that its host check needs. */
export interface HostConnection {
  /** The address that it was made to, such as `192.168.1.20`; undefined if it has ended already. */
  readonly localAddress: string | undefined;
  readonly isEncrypted: boolean;
}

/**
 * Checks whether a page could reach this connection by a name of its own (DNS rebinding, rule C4): it was made to the
 * loopback, or to a private address without TLS, where no certificate proves the name.
 */
export function needsHostCheck({ localAddress, isEncrypted }: HostConnection): boolean {
  const space = addressSpaceOf(nameOfAddress(localAddress ?? "127.0.0.1"));
  return space === "loopback" || (!isEncrypted && space === "local");
}

/**
 * Checks whether a relay has the name that a call was made to (rule C4). The port doesn't matter.
 * @param host the `Host` header, or the authority of a request target in absolute form
 * @param names in lower case, IPv6 in brackets; `*.example.com` is every name below `example.com`
 * @param localAddress the address that the connection was made to
 */
export function isAllowedHost(
  host: string,
  names: readonly string[],
  localAddress: string | undefined,
): boolean {
  const name = hostNameIn(host);
  if (name === undefined) return false;
  const own = localAddress === undefined ? undefined : nameOfAddress(localAddress);
  if (isThisComputer(name) || name === own) return true;
  return names.some((each) =>
    each.startsWith("*.") ? name.endsWith(each.slice(1)) : name === each,
  );
}

/** Returns the host name without its port and final dot, in lower case; undefined if it isn't a host name. */
function hostNameIn(host: string): string | undefined {
  const [, name] =
    /^([a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])\.?(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  return name;
}

/** Formats an address as in a URL, without its zone; an IPv4 address mapped into IPv6 becomes IPv4. */
export function nameOfAddress(address: string): string {
  const plain = address
    .replace(/%.*$/, "")
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, "");
  return plain.includes(":") ? `[${plain}]` : plain;
}

/** A space that browsers guard against pages from farther away: this computer, or the local network. */
export type AddressSpace = "loopback" | "local";

/** RFC 1918, IPv4 link-local and unique local addresses. */
const PRIVATE = /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+$|^\[f[cd][\da-f]{2}:/;
/** Shared (RFC 6598) and IPv6 link-local addresses, and names that only a local network knows. */
const OTHER_LOCAL =
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+)+$|^\[fe[89ab].:|\.(local|lan|internal|home\.arpa)$|^[^.:]+$/;

/**
 * Checks whether an address is one at which devices in the same network can reach this computer, and no others (rule
 * LAN2). Not a shared one: a carrier's other customers have those, too. Not an IPv6 link-local one: no browser can name it.
 */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.test(nameOfAddress(address));
}

/**
 * Returns the address space of a hostname; undefined if it is public, or only its address would tell.
 * @param hostname as in `URL`: lower case, IPv4 in four parts, IPv6 in brackets
 */
export function addressSpaceOf(hostname: string): AddressSpace | undefined {
  if (isThisComputer(hostname)) return "loopback";
  return PRIVATE.test(hostname) || OTHER_LOCAL.test(hostname) ? "local" : undefined;
}

/**
 * Checks whether a hostname is a loopback name or address. A name such as `127.example.org` is neither.
 * @param hostname as in `URL`: lower case, IPv4 in four parts, IPv6 in brackets
 */
export function isThisComputer(hostname: string): boolean {
  return /(?:^|\.)localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
}

/** `network` of a call from the relay's own computer. */
export const THIS_COMPUTER = "this-computer";
