import { IMPORTER_HEADERS } from "../../../addon/relay/open-calls.ts";
import { hasTexts } from "../../../core/importer/relay-answers.ts";
import { isNearby } from "../../../addon/relay/relay-url.ts";
import { THIS_COMPUTER } from "../../../core/protocol/importer-api.ts";
import { isThisComputer } from "../../../core/protocol/judge-host.ts";
import { roughNetworkOf } from "../../../core/quotas/address-tiers.ts";
import type { Answer } from "../../conformance/answer.ts";
import { type Finding, notChecked, note, ok, wrong } from "../finding.ts";
import type { OwnComputer } from "./own-computer.ts";
import { probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

/** Asks the relay from which network it sees this computer call, once with a forged address. */
export async function checkAddress(
  visit: Visit,
  { credential }: OwnComputer,
): Promise<readonly Finding[]> {
  const headers = { ...IMPORTER_HEADERS, authorization: `Bearer ${credential.token}` };
  const ask = (more = {}) =>
    probe(visit, { path: "/importer/me", headers: { ...headers, ...more } });
  const plain = await ask();
  const forged = await ask({ "x-forwarded-for": FORGED_ADDRESS });
  const network = networkIn(plain);
  const networkWhenForged = networkIn(forged);
  if (plain === undefined || network === undefined || networkWhenForged === undefined) {
    const because = "the relay doesn't say from where it sees a call (an older version?)";
    return [notChecked("whether callers' addresses reach it", because)];
  }
  const { local: localAddress = "", remote: remoteAddress = "" } = plain.ends ?? {};
  return judgeNetwork({ network, networkWhenForged, localAddress, remoteAddress });
}

function networkIn(answer: Answer | undefined): string | undefined {
  const json = answer?.json;
  const isKnown = answer?.status === 200 && hasTexts(json, "network");
  return isKnown ? String(json["network"]) : undefined;
}

/** An address of a documentation network (RFC 5737), which no caller has. */
const FORGED_ADDRESS = "203.0.113.77";

/** A call, as the relay and this computer see it. */
export interface SeenCall {
  /** The network that the relay names. */
  readonly network: string;
  /** The network that it names for a call with `FORGED_ADDRESS` in `X-Forwarded-For`. */
  readonly networkWhenForged: string;
  /** The two ends of this computer's connection. */
  readonly localAddress: string;
  readonly remoteAddress: string;
}

const FORWARD =
  "Have the proxy set X-Forwarded-For, and start the relay with SOUNDFERRY_TRUST_PROXY set to the proxy's address.";

const REPLACE =
  "Have the proxy replace X-Forwarded-For, or add to it, and set SOUNDFERRY_TRUST_PROXY to the proxy's address alone.";

/** Judges whether the relay gets its callers' addresses, and ignores forged ones (rule L5). */
export function judgeNetwork(seen: SeenCall): readonly Finding[] {
  return [judgeForged(seen), judgeSeen(seen)];
}

function judgeForged({ network, networkWhenForged, remoteAddress }: SeenCall): Finding {
  const forged = roughNetworkOf(FORGED_ADDRESS);
  if (networkWhenForged !== forged || network === forged) {
    return ok("forged-address", "The relay believes no address that a caller makes up.");
  }
  if (isThisComputer(hostOf(remoteAddress))) {
    // Perhaps it takes this computer for the proxy that it trusts, as it should.
    const sentence = "The relay believes an address in X-Forwarded-For from its own computer.";
    return note(
      "forged-address",
      sentence,
      `Run this on another computer. If it still does: ${REPLACE}`,
    );
  }
  return wrong(
    "forged-address",
    "The relay believes any address in X-Forwarded-For, so its limits for addresses limit nobody.",
    REPLACE,
  );
}

function judgeSeen({ network, localAddress, remoteAddress }: SeenCall): Finding {
  const isLocal = isThisComputer(hostOf(remoteAddress));
  const isOwn = network === roughNetworkOf(localAddress) || (isLocal && network === THIS_COMPUTER);
  if (isOwn) return ok("address", `The relay sees calls from here as ${named(network)}.`);
  const isOfAProxy =
    network === THIS_COMPUTER ||
    network === roughNetworkOf(remoteAddress) ||
    isNearby(network.replace(/\/.*$/, ""));
  if (!isOfAProxy) {
    return ok(
      "address",
      `The relay sees calls from here as ${named(network)}, outside this network.`,
    );
  }
  const sentence = `The relay takes calls from here for calls from ${named(network)}, probably the proxy.`;
  // In a private network, a router may have that address.
  const isCertain = isLocal || !isNearby(hostOf(remoteAddress));
  if (!isCertain) return note("address", sentence, `If that is a proxy: ${FORWARD}`);
  return wrong("address", `${sentence} All callers share one address's limits.`, FORWARD);
}

/** Formats an address as a URL has it. */
function hostOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return bare.includes(":") ? `[${bare}]` : bare;
}

function named(network: string): string {
  return network === THIS_COMPUTER ? "its own computer" : network;
}
