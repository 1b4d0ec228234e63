/**
 * The base address of the page's relay, without a trailing slash: what `<meta name="relay">` names, otherwise
 * the folder the page was served from.
 */
export function relayOfPage(named: string, pageUrl: string): string {
  return new URL(named === "" ? "." : named, pageUrl).href
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "");
}
