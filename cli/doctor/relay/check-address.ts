import { IMPORTER_HEADERS } from "../../../addon/relay/open-calls.ts";
import { hasTexts } from "../../../addon/relay/relay-answers.ts";
import type { Finding } from "../finding.ts";
import { notChecked } from "./findings.ts";
import { FORGED_ADDRESS, judgeNetwork } from "./judge-network.ts";
import type { OwnComputer } from "./own-computer.ts";
import { probe, type ProbeAnswer } from "./probe.ts";
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
  const { localAddress, remoteAddress } = plain;
  return judgeNetwork({ network, networkWhenForged, localAddress, remoteAddress });
}

function networkIn(answer: ProbeAnswer | undefined): string | undefined {
  const body = answer?.body;
  const isKnown = answer?.status === 200 && hasTexts(body, "network");
  return isKnown ? String(body["network"]) : undefined;
}
