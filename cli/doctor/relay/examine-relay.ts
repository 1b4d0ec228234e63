import { HttpConnection } from "../../../addon/relay/http-connection.ts";
import { callHello, IMPORTER_HEADERS } from "../../../addon/relay/open-calls.ts";
import { CONSENT_WAIT_SECONDS } from "../../../core/limits.ts";
import type { Finding } from "../finding.ts";
import { checkCertificate, type Trust } from "./check-certificate.ts";
import { checkHeaders } from "./check-headers.ts";
import { checkHello } from "./check-hello.ts";
import { checkMetrics } from "./check-metrics.ts";
import { checkPlainHttp } from "./check-plain-http.ts";
import { checkReady } from "./check-ready.ts";
import { checkUpload } from "./check-upload.ts";
import { AS_COMPUTER, examineAsComputer } from "./examine-as-computer.ts";
import { isWrong, notChecked } from "./findings.ts";
import { troubleIsAFinding } from "./trouble-is-a-finding.ts";
import type { Visit } from "./visit.ts";

/** What anyone can ask a relay. The rest takes a computer that it knows. */
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
