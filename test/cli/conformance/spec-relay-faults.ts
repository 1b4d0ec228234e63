import { ANNOUNCE, answers, ANY, header, PREFLIGHT, type SpecFault } from "./spec-relay/fault.ts";
import { isObject } from "./spec-relay/judge.ts";
import { MANIFEST_FAULTS } from "./spec-relay/manifest-faults.ts";
import { PACKAGE_FAULTS } from "./spec-relay/package-faults.ts";
import { PAIRING_FAULTS } from "./spec-relay/pairing-faults.ts";

const ORIGIN = "access-control-allow-origin";
const METHODS = "access-control-allow-methods";
const isError = ({ status }: { status: number }) => status >= 400;
const errorText = (body: unknown) => (isObject(body) ? String(body["error"]) : "");

const WEB: readonly SpecFault[] = [
  header("no page may read", "1 Each answer allows any origin", ANY, ORIGIN, () => undefined),
  answers(
    "no page may read errors",
    "1 Each answer allows any origin",
    ANY,
    (reply) => isError(reply) && { headers: { ...reply.headers, [ORIGIN]: "null" } },
  ),
  header("one origin", "1 any origin", ANY, ORIGIN, () => "https://app.example"),
  answers(
    "preflights need a token",
    "1 A web page on any origin can call the API",
    PREFLIGHT,
    () => ({ status: 401, body: { error: "Who are you?" } }),
  ),
  header("pages may not PUT", "1 can call the API", PREFLIGHT, METHODS, () => "GET, POST, DELETE"),
  header("pages may not DELETE", "1 can call the API", PREFLIGHT, METHODS, () => "GET, POST, PUT"),
  header(
    "pages may not send a token",
    "1 A web page on any origin can call the API",
    PREFLIGHT,
    "access-control-allow-headers",
    () => "content-type, x-service-client",
  ),
];

const ERRORS: readonly SpecFault[] = [
  answers(
    "errors are messages",
    "7 a JSON body {error: string}",
    ANY,
    (reply) => isError(reply) && { body: { message: errorText(reply.body) } },
  ),
  answers(
    "errors are objects",
    "7 {error: string}",
    ANY,
    (reply) => isError(reply) && { body: { error: { text: errorText(reply.body) } } },
  ),
  answers(
    "errors are HTML",
    "7 An error answer has a JSON body",
    ANY,
    (reply) => isError(reply) && { body: `<p>${errorText(reply.body)}</p>` },
  ),
  answers(
    "long errors",
    "7 at most 80 characters",
    ANY,
    (reply) =>
      isError(reply) && {
        body: { error: `${errorText(reply.body)} ${"Ask your administrator. ".repeat(4)}` },
      },
  ),
  answers(
    "a newer format is not named",
    "7 the text names that format",
    ANNOUNCE,
    (reply) =>
      errorText(reply.body).includes("newer") && { body: { error: "Please update the importer." } },
  ),
  answers(
    "a newer format asks nothing",
    "9 telling to update the importer",
    ANNOUNCE,
    (reply) =>
      errorText(reply.body).includes("newer") && {
        body: { error: errorText(reply.body).replace("Update the importer.", "It is refused.") },
      },
  ),
  answers("a bad manifest is 400", "4 422 with the reason", ANNOUNCE, (reply) => ({
    status: reply.status === 422 ? 400 : reply.status,
  })),
  answers(
    "no sound is named",
    "7 The text names the sound and the problem",
    ANNOUNCE,
    (reply) =>
      reply.status === 422 && { body: { error: errorText(reply.body).replace(/^.*?: /, "A ") } },
  ),
];

const slow = (fault: SpecFault): SpecFault => ({ ...fault, needs: "limit" });
const LIMITS: readonly SpecFault[] = [
  slow(
    header(
      "Retry-After is hidden",
      "1 A web page can read the Retry-After header",
      ANY,
      "access-control-expose-headers",
      () => undefined,
    ),
  ),
  slow({
    name: "calls without end",
    says: "8 Calls: 600 per minute",
    laws: { callsPerMinute: Infinity },
  }),
  slow({ name: "599 calls", says: "8 Calls: 600 per minute", laws: { callsPerMinute: 599 } }),
  slow({ name: "601 calls", says: "8 Calls: 600 per minute", laws: { callsPerMinute: 601 } }),
  slow({ name: "29 packages", says: "8 Packages: 30 per hour", laws: { packagesPerHour: 29 } }),
  slow({ name: "31 packages", says: "8 Packages: 30 per hour", laws: { packagesPerHour: 31 } }),
  slow({ name: "9 tries", says: "8 Pairing tries: 10 per minute", laws: { triesPerMinute: 9 } }),
  slow({ name: "11 tries", says: "8 Pairing tries: 10 per minute", laws: { triesPerMinute: 11 } }),
  slow(header("no Retry-After", "7 429: Header Retry-After", ANY, "retry-after", () => undefined)),
  slow(
    header("Retry-After is a date", "7 Retry-After: seconds", ANY, "retry-after", (seconds) =>
      new Date(Date.now() + Number(seconds) * 1000).toUTCString(),
    ),
  ),
  slow(
    answers("too much is 403", "7 429: Too many calls", ANY, (reply) => ({
      status: reply.status === 429 ? 403 : reply.status,
    })),
  ),
];

/** Every fault, each with the sentence that it breaks. */
export const SPEC_FAULTS: readonly SpecFault[] = [
  ...WEB,
  ...PAIRING_FAULTS,
  ...PACKAGE_FAULTS,
  ...MANIFEST_FAULTS,
  ...ERRORS,
  ...LIMITS,
];
