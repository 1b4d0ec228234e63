import type { Check } from "../check.ts";
import { assert, assertSame, assertStatus, assertSuccess, show } from "../assert.ts";
import type { Answer } from "../answer.ts";

/** Calls without a token, which are refused. */
const CALLS = [
  ["GET", "/app/me"],
  ["POST", "/packages"],
  ["PUT", "/packages/x/files/a.wav"],
  ["DELETE", "/packages/x"],
] as const;

/** Calls that only this contract knows. */
const OTHER_CALLS = [
  ["GET", "/nowhere"],
  ["PATCH", "/packages"],
  ["GET", "/packages/%zz/status"],
  ["PUT", `/packages/x/files/${"y".repeat(3000)}`],
] as const;

const ALLOWED = {
  "access-control-allow-methods": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  // `*` is every header except this one; older browsers know no `*`.
  "access-control-allow-headers": [
    "Authorization",
    "*",
    "Content-Type",
    "X-Service-Client",
    "Idempotency-Key",
    "Upload-Offset",
    "Upload-Complete",
    "Upload-Length",
    "Upload-Draft-Interop-Version",
  ],
} as const;

/** Method, path and headers of each call of the public specification, as a page asks for them first. */
const PREFLIGHTS = [
  ["POST", "/pair/claim", "content-type"],
  ["GET", "/app/me", "authorization,x-service-client"],
  ["POST", "/app/unpair", "authorization"],
  ["POST", "/packages", "authorization,content-type,x-service-client"],
  ["PUT", "/packages/x/files/a%20b.wav", "authorization,content-type"],
  ["POST", "/packages/x/commit", "authorization,content-type"],
  ["GET", "/packages/x/status", "authorization"],
  ["DELETE", "/packages/x", "authorization"],
] as const;
/** Methods that a page may use without being allowed to. */
const SIMPLE = new Set<string>(["GET", "POST"]);

/** Access for web pages. */
export const PAGE_CHECKS: readonly Check[] = [
  {
    id: "errors-are-open-to-pages",
    rule: "C1",
    title: "errors and unknown addresses can be read by any page, too",
    spec: "1 each answer allows any origin",
    run: async (kit) => {
      const calls = kit.contract === "public" ? CALLS : [...CALLS, ...OTHER_CALLS];
      for (const [method, path] of calls) {
        for (const origin of ["https://example.org", "http://localhost:8080"]) {
          assertOpen(await kit.call(method, path, { headers: { origin } }));
        }
      }
    },
  },
  {
    id: "preflight",
    rule: "C2",
    title: "a preflight of any path is 204, allows what apps need and holds for a day",
    run: async (kit) => {
      for (const path of ["/pair/claim", "/packages/x/files/a%20b.wav", "/nowhere/at/all"]) {
        const answer = await kit.call("OPTIONS", path, {
          headers: { origin: "https://example.org", "access-control-request-method": "PUT" },
        });
        assertStatus(answer, 204);
        for (const [header, wanted] of Object.entries(ALLOWED))
          assertListed(answer, header, wanted);
        assertSame(answer.headers["access-control-max-age"], "86400", "Access-Control-Max-Age");
      }
    },
  },
  {
    id: "preflight-of-calls",
    rule: "C2",
    title: "a page may make each call, with the headers that it needs",
    spec: "1 a web page on any origin can call the API",
    run: async (kit) => {
      for (const [method, path, headers] of PREFLIGHTS) {
        const answer = await kit.call("OPTIONS", path, {
          headers: {
            origin: "https://example.org",
            "access-control-request-method": method,
            "access-control-request-headers": headers,
          },
        });
        assertSuccess(answer, 204);
        assertOpen(answer);
        if (!SIMPLE.has(method)) assertAllowed(answer, "access-control-allow-methods", [method]);
        assertAllowed(answer, "access-control-allow-headers", headers.split(","));
      }
    },
  },
  {
    id: "importer-preflight",
    rule: "C3",
    title: "OPTIONS on the importer's addresses is 404",
    run: async (kit) => assertStatus(await kit.call("OPTIONS", "/importer/packages"), 404),
  },
  {
    id: "importer-encoded",
    rule: "C3",
    title: "the importer's addresses stay closed to pages when a letter of them is percent-encoded",
    run: async (kit) => {
      for (const method of ["GET", "OPTIONS"]) {
        const { asked, status, headers } = await kit.call(method, "/%69mporter/hello");
        // A relay without this address may say so to pages.
        const isOpen = status < 300 && headers["access-control-allow-origin"] !== undefined;
        assert(!isOpen, `${asked} answered ${status}, for any page to read.`);
      }
    },
  },
];

/** Checks that the page that called may read the answer. */
function assertOpen({ asked, origin, headers, contract }: Answer): void {
  const allowed = headers["access-control-allow-origin"];
  const isOpen = allowed === "*" || (contract === "public" && allowed === origin);
  assert(isOpen, `${asked}: Access-Control-Allow-Origin is ${show(allowed)}.`);
}

/** Checks that a header names these words, or has the wildcard, which is all but `authorization`. */
function assertAllowed(answer: Answer, header: string, wanted: readonly string[]): void {
  const isWild = wordsOf(answer, header).has("*");
  assertListed(answer, header, isWild ? wanted.filter((word) => word === "authorization") : wanted);
}

function wordsOf({ headers }: Answer, header: string): ReadonlySet<string> {
  return new Set(
    String(headers[header] ?? "")
      .toLowerCase()
      .split(/\s*,\s*/),
  );
}

function assertListed(answer: Answer, header: string, wanted: readonly string[]): void {
  const text = String(answer.headers[header] ?? "");
  const given = wordsOf(answer, header);
  const lacking = wanted.find((word) => !given.has(word.toLowerCase()));
  assert(
    lacking === undefined,
    `${answer.asked}: ${header} is ${show(text)}; it lacks ${lacking}.`,
  );
}
