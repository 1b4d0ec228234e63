/**
 * Whether a hostname is a loopback name or address. A name such as `127.example.org` is neither.
 * @param hostname as in `URL`: lower case, IPv4 in four parts, IPv6 in brackets
 */
export function isThisComputer(hostname: string): boolean {
  return /(?:^|\.)localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
}
