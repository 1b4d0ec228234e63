import { knowsSpaces } from "../../../client/wire/local-network.ts";
import { addressSpaceOf } from "../../../core/protocol/judge-host.ts";
import { t } from "../../kit/page-language.ts";

/**
 * Returns warnings about the connection from this page to the relay, one sentence each: no encryption, the browser's
 * question about the local network, and mixed content that browsers block.
 */
export function formatRoute(pageUrl: string, relayUrl: string): readonly string[] {
  const [page, relay] = [new URL(pageUrl), new URL(relayUrl)];
  const space = addressSpaceOf(relay.hostname);
  const isHttp = relay.protocol === "http:" && space !== "loopback";
  if (page.protocol === "https:" && isHttp && !(space === "local" && knowsSpaces())) {
    return [t("page.routeMixed", { address: `${relayUrl}/` })];
  }
  const sentences: string[] = [];
  if (page.origin !== relay.origin && space !== undefined) {
    const key = space === "loopback" ? "page.routeHere" : "page.routeNear";
    sentences.push(t(key, { host: relay.host }));
  }
  if (isHttp) sentences.push(t("page.routePlain"));
  return sentences;
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
