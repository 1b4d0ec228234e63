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
  const address = plainAddress(localAddress ?? "127.0.0.1");
  return isLoopback(address) || (!isEncrypted && isPrivate(address));
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
  if (isThisComputer(name) || name === nameOfAddress(localAddress)) return true;
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

/** Formats an address as in a URL; undefined without one. */
function nameOfAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const plain = plainAddress(address);
  return plain.includes(":") ? `[${plain}]` : plain;
}

/** Returns an address without its zone; an IPv4 address mapped into IPv6 becomes IPv4. */
function plainAddress(address: string): string {
  return address
    .replace(/%.*$/, "")
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, "");
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

/** Checks for RFC 1918, shared (RFC 6598), link-local and unique local addresses. */
function isPrivate(address: string): boolean {
  if (address.includes(":")) return /^(?:f[cd]..|fe[89ab].):/.test(address);
  const [first = 0, second = 0] = address.split(".").map(Number);
  return (
    first === 10 ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254) ||
    (first === 100 && second >= 64 && second < 128)
  );
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
