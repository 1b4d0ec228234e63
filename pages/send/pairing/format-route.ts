import { isThisComputer } from "../../../core/protocol/judge-host.ts";
import { t } from "../../kit/page-language.ts";

/**
 * Returns warnings about the connection from this page to the relay, one sentence each: no encryption, the browser's
 * question about the local network, and mixed content that browsers block.
 */
export function formatRoute(pageUrl: string, relayUrl: string): readonly string[] {
  const [page, relay] = [new URL(pageUrl), new URL(relayUrl)];
  const isOnThisComputer = isThisComputer(relay.hostname);
  if (page.protocol === "https:" && relay.protocol === "http:" && !isOnThisComputer) {
    return [t("page.routeMixed", { address: `${relayUrl}/` })];
  }
  const sentences: string[] = [];
  if (page.origin !== relay.origin && (isOnThisComputer || isPrivate(relay.hostname))) {
    const key = isOnThisComputer ? "page.routeHere" : "page.routeNear";
    sentences.push(t(key, { host: relay.host }));
  }
  if (relay.protocol === "http:" && !isOnThisComputer) {
    sentences.push(t("page.routePlain"));
  }
  return sentences;
}

/** Checks whether a host is a private address, or a name that only the local network knows. */
function isPrivate(host: string): boolean {
  return (
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host) ||
    /^\[f[cd][\da-f]{2}:|^\[fe[89ab][\da-f]:/.test(host) ||
    /\.(local|lan|internal|home\.arpa)$/.test(host) ||
    !/[.:]/.test(host)
  );
}

/**
 * Returns the base address of the page's relay, without a trailing slash: the one in `<meta name="relay">`, otherwise
 * the folder that the page was served from.
 */
export function relayOfPage(named: string, pageUrl: string): string {
  return new URL(named === "" ? "." : named, pageUrl).href
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "");
}
