/**
 * The base address of the relay that the page speaks to: what its `<meta name="relay">` names, else the
 * folder that the page itself was served from. Without a slash at its end.
 */
export function relayOfPage(named: string, pageUrl: string): string {
  return new URL(named === "" ? "." : named, pageUrl).href
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "");
}
