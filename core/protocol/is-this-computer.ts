/**
 * Whether a host is the very computer of whoever names it.
 * @param hostname as `URL` gives it: in small letters, IPv6 in brackets
 */
export function isThisComputer(hostname: string): boolean {
  return /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname);
}
