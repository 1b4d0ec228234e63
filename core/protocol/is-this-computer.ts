/**
 * Whether a hostname is a loopback name or address.
 * @param hostname as in `URL`: lower case, IPv6 in brackets
 */
export function isThisComputer(hostname: string): boolean {
  return /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname);
}
