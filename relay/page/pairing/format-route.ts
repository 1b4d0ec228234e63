import { isThisComputer } from "../../../core/protocol/is-this-computer.ts";

/**
 * What a person should know of the way from this page to the relay, a sentence each: no encryption, a
 * question of the browser about the own network, and what no browser will do.
 */
export function formatRoute(pageUrl: string, relayUrl: string): readonly string[] {
  const [page, relay] = [new URL(pageUrl), new URL(relayUrl)];
  const isOnThisComputer = isThisComputer(relay.hostname);
  if (page.protocol === "https:" && relay.protocol === "http:" && !isOnThisComputer) {
    return [
      `This page uses https, so the browser can’t reach a relay that only has http. Open ${relayUrl}/ instead.`,
    ];
  }
  const sentences: string[] = [];
  if (page.origin !== relay.origin && (isOnThisComputer || isPrivate(relay.hostname))) {
    const place = isOnThisComputer ? "on this computer" : "in your own network";
    sentences.push(
      `The relay is ${place} (${relay.host}). If the browser asks whether this page can reach devices there, allow it.`,
    );
  }
  if (relay.protocol === "http:" && !isOnThisComputer) {
    sentences.push(
      "The connection to the relay is plain http: others in the same network could read it. The browser may call this page “not secure”.",
    );
  }
  return sentences;
}

/** Addresses of one's own network, and names that are only known there. */
function isPrivate(host: string): boolean {
  return (
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host) ||
    /^\[f[cd][\da-f]{2}:|^\[fe[89ab][\da-f]:/.test(host) ||
    /\.(local|lan|internal|home\.arpa)$/.test(host) ||
    !/[.:]/.test(host)
  );
}
