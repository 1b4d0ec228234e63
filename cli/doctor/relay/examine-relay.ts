import { HttpConnection } from "../../../addon/relay/http-connection.ts";
import { callHello, IMPORTER_HEADERS } from "../../../addon/relay/open-calls.ts";
import { CONSENT_WAIT_SECONDS } from "../../../core/limits.ts";
import type { SettingsSource } from "../../../core/settings.ts";
import { Failure, WrongUse } from "../../fail.ts";
import { readRegistrationKey } from "../../registration-key.ts";
import { stopSignal } from "../../stop-signal.ts";
import { checkHello } from "../check-relay.ts";
import { type Finding, isWrong, notChecked } from "../finding.ts";
import { checkCertificate, checkPlainHttp, type Trust } from "./check-https.ts";
import { AS_COMPUTER, examineAsComputer } from "./examine-as-computer.ts";
import { checkHeaders, checkMetrics, checkReady, checkUpload } from "./open-checks.ts";
import { PATIENT, QUICK, troubleIsAFinding, type Visit } from "./visit.ts";

/** A request of the command line. */
export interface RelayVisit {
  /** The address as a person types it. */
  readonly address: string;
  /** The flags that are settings. */
  readonly given: SettingsSource;
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
}

/**
 * `soundferry doctor --relay` (rule K15).
 * @throws {WrongUse} for what is no address
 * @throws {Failure} when it was stopped
 */
export async function visitRelay(visit: RelayVisit): Promise<readonly Finding[]> {
  const { address, given, isQuick, say } = visit;
  const url = parseAddress(address);
  const registrationKey = readRegistrationKey(given);
  const signal = stopSignal();
  try {
    const waits = isQuick ? QUICK : PATIENT;
    return await examineRelay({ url, registrationKey, waits, say, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Failure("Stopped.", { cause: error });
  }
}

/** Accepts http on any name, which an importer doesn't: doctor says what is wrong with it. */
function parseAddress(text: string): string {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new WrongUse(`--relay takes a relay's address, such as https://relay.example.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** The checks that anyone can make. All others need a computer that the relay knows. */
const OPEN_CHECKS = [checkReady, checkMetrics, checkHeaders, checkUpload, checkPlainHttp] as const;

export interface RelayExamination extends Omit<Visit, "http"> {
  readonly trust?: Trust;
}

/**
 * Examines a relay from outside, as apps and importers on other computers see it (rule K15).
 * @throws {unknown} the signal's reason, once what was created at the relay is removed
 */
export async function examineRelay(options: RelayExamination): Promise<readonly Finding[]> {
  const http: HttpConnection = new HttpConnection({
    baseUrl: options.url,
    headers: IMPORTER_HEADERS,
    // The longest answers are a long-poll's, and a claim's that waits for a yes.
    answerDeadlineMs:
      Math.max(options.waits.openSeconds, CONSENT_WAIT_SECONDS) * 1000 + options.waits.answerMs,
    hello: (over) => callHello(http, over),
  });
  try {
    return await examine({ ...options, http }, options.trust);
  } finally {
    http.close();
  }
}

async function examine(visit: Visit, trust?: Trust): Promise<readonly Finding[]> {
  const certificate = await checkCertificate(visit, trust ?? { now: Date.now() });
  const { protocol } = new URL(visit.url);
  const isUntrusted = certificate.some(isWrong);
  if (isUntrusted && protocol === "https:") {
    const rest = notChecked("all the rest", "importers and apps refuse that certificate");
    return [...certificate, rest];
  }
  const { hello, findings: greeting } = await checkHello(visit);
  const findings = [...certificate, ...greeting];
  if (hello === undefined) return [...findings, notChecked("all the rest", "no relay answers")];
  for (const check of OPEN_CHECKS)
    findings.push(...(await troubleIsAFinding(visit, () => check(visit))));
  // No key and no token travels where anyone can read it.
  if (isUntrusted) return [...findings, notChecked(AS_COMPUTER, "that takes https")];
  return [...findings, ...(await examineAsComputer(visit, hello.instance))];
}
