import { isHello } from "../../../addon/relay/relay-answers.ts";
import type { Finding } from "../finding.ts";
import { ok, wrong } from "./findings.ts";
import { probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

/**
 * Checks that a relay with https doesn't serve calls without it on the same name, where a token would be read on the
 * way. Without a known second port there is nothing to check.
 * @param plainUrl by default the name's port 80, if https has its own port
 */
export async function checkPlainHttp(
  visit: Pick<Visit, "url" | "waits" | "signal">,
  plainUrl: string | undefined = plainUrlOf(visit.url),
): Promise<readonly Finding[]> {
  if (plainUrl === undefined) return [];
  const answer = await probe(visit, { at: plainUrl, path: "/importer/hello" }).catch(() => {
    visit.signal.throwIfAborted();
    return undefined;
  });
  if (answer === undefined || !isHello(answer.body)) {
    return [ok("plain-http", `No relay answers unencrypted at ${plainUrl}.`)];
  }
  const advice = "Have the proxy redirect http to https, and pass nothing on from there.";
  return [wrong("plain-http", `The relay also answers unencrypted, at ${plainUrl}.`, advice)];
}

function plainUrlOf(url: string): string | undefined {
  const { protocol, port, hostname, pathname } = new URL(url);
  if (protocol !== "https:" || port !== "") return undefined;
  return `http://${hostname}${pathname.replace(/\/+$/, "")}`;
}
