import { isThisComputer } from "../../core/protocol/is-this-computer.ts";
import type { HelloAnswer } from "../../core/protocol/importer-api.ts";
import { VERSION } from "../../core/version.ts";
import { HttpConnection } from "../../addon/relay/http-connection.ts";
import { IMPORTER_HEADERS, callHello } from "../../addon/relay/relay-client.ts";
import { commandLine } from "../command.ts";
import type { Finding } from "./finding.ts";

const ANSWER_LIMIT_MS = 3000;
/** Off by more than this, certificates and times begin to look wrong. */
const SKEW_LIMIT_SECONDS = 60;

/** Asks a relay who it is; rejects with a sentence where none answers. */
export async function askHello(relayUrl: string): Promise<HelloAnswer> {
  const connection = new HttpConnection({
    baseUrl: relayUrl,
    headers: IMPORTER_HEADERS,
    answerDeadlineMs: ANSWER_LIMIT_MS,
  });
  try {
    return await callHello(connection);
  } finally {
    connection.close();
  }
}

/** Whether the importer's relay can be reached, which version it has, and whether the clocks agree. */
export async function checkRelay(relayUrl: string): Promise<readonly Finding[]> {
  const askedAt = Date.now();
  try {
    const { version, now } = await askHello(relayUrl);
    const aheadSeconds = (Date.parse(now) - (askedAt + Date.now()) / 2) / 1000;
    const clock = Number.isNaN(aheadSeconds) ? [] : [judgeClocks(aheadSeconds)];
    return [judgeVersion(relayUrl, version), ...clock];
  } catch (error) {
    return [unreachable(relayUrl, error instanceof Error ? error.message : String(error))];
  }
}

function judgeVersion(relayUrl: string, version: string): Finding {
  const sentence = `The relay at ${relayUrl} is running (version ${version}).`;
  return version === VERSION
    ? { check: "relay", state: "ok", sentence }
    : { check: "relay", state: "note", sentence: `${sentence} This is version ${VERSION}.` };
}

/**
 * What follows from the difference of two clocks.
 * @param aheadSeconds how far the relay's is ahead
 */
export function judgeClocks(aheadSeconds: number): Finding {
  if (Math.abs(aheadSeconds) <= SKEW_LIMIT_SECONDS) {
    return {
      check: "clock",
      state: "ok",
      sentence: "This computer's clock agrees with the relay's.",
    };
  }
  const seconds = Math.round(Math.abs(aheadSeconds));
  const direction = aheadSeconds > 0 ? "behind" : "ahead of";
  return {
    check: "clock",
    state: "wrong",
    sentence: `This computer's clock is ${seconds} s ${direction} the relay's.`,
    advice: "Turn on automatic time on both computers.",
  };
}

/** That no relay runs on this computer is nothing wrong; a relay elsewhere should be there. */
function unreachable(relayUrl: string, sentence: string): Finding {
  return isThisComputer(new URL(relayUrl).hostname)
    ? { check: "relay", state: "note", sentence, advice: `Start one with: ${commandLine(["up"])}` }
    : {
        check: "relay",
        state: "wrong",
        sentence,
        advice: "Check SOUNDFERRY_RELAY_URL and the network, or ask who runs the relay.",
      };
}
