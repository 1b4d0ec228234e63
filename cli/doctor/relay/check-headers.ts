import type { Finding } from "../finding.ts";
import { ok, wrong } from "./findings.ts";
import { isFromTheRelay, probe, type ProbeAnswer } from "./probe.ts";
import type { Visit } from "./visit.ts";

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

function lostOfRefusal(answer: ProbeAnswer | undefined): readonly string[] {
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

function lostOfPreflight(answer: ProbeAnswer | undefined): readonly string[] {
  const { status = 0, headers = {} } = answer ?? {};
  const isAllowed =
    status >= 200 &&
    status < 300 &&
    headers["access-control-allow-origin"] === "*" &&
    /\bPUT\b/.test(String(headers["access-control-allow-methods"])) &&
    /\bauthorization\b/i.test(String(headers["access-control-allow-headers"]));
  return isAllowed ? [] : ["the answer to a browser's preflight (OPTIONS)"];
}
