import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import { PACKAGE_SIZE } from "../../../core/text/format-limit.ts";
import { isJsonObject } from "../../../core/text/json-object.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { shorten } from "../../../core/text/shorten.ts";
import type { Answer } from "../../conformance/answer.ts";
import { type Finding, note, ok, OWN_ANSWER, wrong } from "../finding.ts";
import { isFromTheRelay, probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

const MAX_UNITS = 200;

/** Checks what `/readyz` says (rule K10). */
export async function checkReady(visit: Visit): Promise<readonly Finding[]> {
  const answer = await probe(visit, { path: "/readyz" });
  const { reason, degraded, notices } = isJsonObject(answer?.json) ? answer.json : {};
  const sentences = Array.isArray(notices) ? notices.filter(isText) : [];
  const noted = sentences.map((sentence) => note("ready", shorten(sentence, MAX_UNITS)));
  if (answer?.status === 200 && noted.length > 0) return noted;
  if (answer?.status === 200) {
    return [
      isText(degraded)
        ? note("ready", `The relay is ready, but degraded: ${shorten(degraded, MAX_UNITS)}.`)
        : ok("ready", "The relay is ready."),
    ];
  }
  if (isText(reason)) {
    const advice =
      "See the relay's log, which says more; soundferry relay check examines its data.";
    return [
      wrong("ready", `The relay isn't ready: ${shorten(reason, MAX_UNITS)}.`, advice),
      ...noted,
    ];
  }
  const how = answer === undefined ? "isn't answered" : `is answered with ${answer.status}`;
  return [note("ready", `/readyz ${how} here, so whether the relay is ready can't be seen.`)];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Checks that the metrics aren't served to everyone (rule K4). */
export async function checkMetrics(visit: Visit): Promise<readonly Finding[]> {
  const answer = await probe(visit, { path: "/metrics" });
  if (answer?.status !== 200 || !/^soundferry_/m.test(answer.bytes.toString())) {
    return [ok("metrics", "The metrics aren't served to the public.")];
  }
  const advice = "Have the proxy pass on only the relay's own port, not SOUNDFERRY_METRICS_PORT.";
  return [wrong("metrics", "Anyone can read the relay's metrics at /metrics.", advice)];
}

const ADVICE =
  "Have the proxy pass the relay's answers on as they are: no header taken away, none added twice, no error pages of its own.";

/**
 * Checks that the relay's answers arrive as it gave them: a refusal's JSON, its headers, and what browsers ask before
 * they let a page call it (rules C1, C2, E1).
 */
export async function checkHeaders(visit: Visit): Promise<readonly Finding[]> {
  // Without a token it is refused, which costs the relay nothing and shows how refusals arrive.
  const refused = await probe(visit, { path: "/app/me" });
  const preflight = await probe(visit, {
    method: "OPTIONS",
    path: "/packages",
    headers: {
      origin: "https://app.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, content-type",
    },
  });
  const lost = [...lostOfRefusal(refused), ...lostOfPreflight(preflight)];
  if (lost.length === 0) {
    return [ok("headers", "The relay's headers and refusals arrive as it sent them.")];
  }
  return [wrong("headers", `On the way from the relay, this is lost: ${lost.join(", ")}.`, ADVICE)];
}

function lostOfRefusal(answer: Answer | undefined): readonly string[] {
  if (answer === undefined) return ["the answer to a call without a token"];
  const { headers } = answer;
  return [
    ...(isFromTheRelay(answer) ? [] : ["the JSON of refusals"]),
    ...(headers["x-request-id"] === undefined ? ["X-Request-Id"] : []),
    ...(headers["www-authenticate"] === undefined ? ["WWW-Authenticate"] : []),
    ...(headers["x-content-type-options"] === "nosniff" ? [] : ["X-Content-Type-Options"]),
    ...(headers["access-control-allow-origin"] === "*" ? [] : ["Access-Control-Allow-Origin"]),
    ...(/\bretry-after\b/i.test(headers["access-control-expose-headers"] ?? "")
      ? []
      : ["Access-Control-Expose-Headers"]),
  ];
}

function lostOfPreflight(answer: Answer | undefined): readonly string[] {
  const { status = 0, headers = {} } = answer ?? {};
  const isAllowed =
    status >= 200 &&
    status < 300 &&
    headers["access-control-allow-origin"] === "*" &&
    /\bPUT\b/.test(String(headers["access-control-allow-methods"])) &&
    /\bauthorization\b/i.test(String(headers["access-control-allow-headers"]));
  return isAllowed ? [] : ["the answer to a browser's preflight (OPTIONS)"];
}

/** Enough bytes that no proxy holds them back to wait for more. */
const FIRST_BYTES = 65_536;

const RAISE = `Raise the proxy's limit for bodies; in nginx: client_max_body_size ${MAX_PACKAGE_BYTES / 1024 ** 2}m.`;

/**
 * Checks that the largest upload reaches the relay, and reaches it while it is still being sent. The call has no token,
 * so the relay refuses it as soon as it hears of it; of the announced body only the first bytes are ever sent.
 */
export async function checkUpload(visit: Visit): Promise<readonly Finding[]> {
  const answer = await probe(visit, {
    method: "PUT",
    path: "/packages/pkg_doctor/files/doctor.wav",
    headers: { "content-type": "audio/wav", "content-length": String(MAX_PACKAGE_BYTES) },
    firstBytes: new Uint8Array(FIRST_BYTES),
  }).catch((error: unknown) => {
    visit.signal.throwIfAborted();
    return sentenceOf(error);
  });
  if (answer === undefined) return [heldBack(visit)];
  if (typeof answer === "string") return [refused(`ends: ${answer}`, RAISE)];
  if (!isFromTheRelay(answer)) {
    const how = `is answered with ${answer.status}, and not by the relay.`;
    return [refused(how, answer.status === 413 ? RAISE : OWN_ANSWER)];
  }
  return [
    ok("upload-limit", `Uploads of ${PACKAGE_SIZE} reach the relay.`),
    ok("upload-buffering", "Uploads reach the relay while they are being sent."),
  ];
}

function refused(how: string, advice: string): Finding {
  const sentence = `An upload of ${PACKAGE_SIZE}, as large as they can be, ${how}`;
  return wrong("upload-limit", sentence, advice);
}

function heldBack({ waits }: Visit): Finding {
  const sentence = `Something before the relay holds uploads back: the relay didn't hear of one within ${waits.answerMs / 1000} s.`;
  return wrong(
    "upload-buffering",
    `${sentence} So it can't refuse in time what has no token or no room.`,
    "Have the proxy pass bodies on as they arrive; in nginx: proxy_request_buffering off.",
  );
}
