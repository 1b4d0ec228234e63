import { HttpConnection } from "../../addon/relay/http-connection.ts";
import { callHello, IMPORTER_HEADERS } from "../../addon/relay/open-calls.ts";
import { ForeignAnswerError } from "../../core/importer/relay-errors.ts";
import type { HelloAnswer } from "../../core/protocol/importer-api.ts";
import { isThisComputer } from "../../core/protocol/judge-host.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { VERSION } from "../../core/version.ts";
import { commandLine } from "../command.ts";
import { type Finding, note, ok, wrong } from "./finding.ts";
import type { Visit } from "./relay/visit.ts";

const ANSWER_LIMIT_MS = 3000;
/** The largest clock skew with which certificates and times still look right. */
const SKEW_LIMIT_SECONDS = 60;

/** Calls a relay's hello. @throws {Error} with a sentence if none answers */
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

/** Checks that the importer's relay answers, its version, and that the clocks agree. */
export async function checkRelay(url: string): Promise<readonly Finding[]> {
  const { findings } = await greet(
    url,
    () => askHello(url),
    (error) => unreachable(url, error),
  );
  return findings;
}

/** Checks that a relay answers without a redirect, its version, and its clock. */
export function checkHello({ url, http }: Pick<Visit, "url" | "http">): Promise<Greeting> {
  return greet(url, () => callHello(http), unanswered);
}

/** The relay's own answer, and the findings on it. */
interface Greeting {
  readonly findings: readonly Finding[];
  /** The answer; undefined if no relay answers here. */
  readonly hello: HelloAnswer | undefined;
}

/** @param failed makes the finding where no relay answers */
async function greet(
  url: string,
  call: () => Promise<HelloAnswer>,
  failed: (error: unknown) => Finding,
): Promise<Greeting> {
  const askedAt = Date.now();
  try {
    const hello = await call();
    const aheadSeconds = (Date.parse(hello.now) - (askedAt + Date.now()) / 2) / 1000;
    const clock = Number.isNaN(aheadSeconds) ? [] : [judgeClocks(aheadSeconds)];
    return { hello, findings: [judgeVersion(url, hello.version), ...clock] };
  } catch (error) {
    return { hello: undefined, findings: [failed(error)] };
  }
}

/** Notes a relay of another version than this program. */
function judgeVersion(relayUrl: string, version: string): Finding {
  const sentence = `The relay at ${relayUrl} is running (version ${version}).`;
  if (version === VERSION) return ok("relay", sentence);
  return note("relay", `${sentence} This is version ${VERSION}.`);
}

/** @param aheadSeconds how far the relay's clock is ahead of this computer's */
export function judgeClocks(aheadSeconds: number): Finding {
  if (Math.abs(aheadSeconds) <= SKEW_LIMIT_SECONDS) {
    return ok("clock", "This computer's clock agrees with the relay's.");
  }
  const seconds = Math.round(Math.abs(aheadSeconds));
  const direction = aheadSeconds > 0 ? "behind" : "ahead of";
  const sentence = `This computer's clock is ${seconds} s ${direction} the relay's.`;
  return wrong("clock", sentence, "Turn on automatic time on both computers.");
}

/** A missing relay is a problem only on another computer. */
function unreachable(relayUrl: string, error: unknown): Finding {
  const sentence = sentenceOf(error);
  if (isThisComputer(new URL(relayUrl).hostname)) {
    return note("relay", sentence, `Start one with: ${commandLine(["up"])}`);
  }
  const advice = "Check SOUNDFERRY_RELAY_URL and the network, or ask who runs the relay.";
  return wrong("relay", sentence, advice);
}

function unanswered(error: unknown): Finding {
  const sentence = sentenceOf(error);
  const status = error instanceof ForeignAnswerError ? error.foreignStatus : 0;
  if (status >= 300 && status < 400) {
    const advice =
      "Give apps and importers that address: none of them sends a token where it is redirected to.";
    return wrong("redirect", sentence.replace(/ Enter that.*$/, ""), advice);
  }
  const advice = "Check the address, the proxy, and whether the relay behind it is running.";
  return wrong("relay", sentence, advice);
}
