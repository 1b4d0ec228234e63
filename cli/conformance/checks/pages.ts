import type { Check } from "../check.ts";
import { assert, assertSame, assertStatus, show } from "../assert.ts";
import type { Answer } from "../answer.ts";

/** Calls whose answers differ in kind. */
const CALLS = [
  ["GET", "/app/me"],
  ["GET", "/nowhere"],
  ["PATCH", "/packages"],
  ["GET", "/packages/%zz/status"],
  ["PUT", `/packages/x/files/${"y".repeat(3000)}`],
] as const;

const ALLOWED = {
  "access-control-allow-methods": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  // `*` is every header except this one.
  "access-control-allow-headers": ["Authorization", "*"],
} as const;

/** Access for web pages. */
export const PAGE_CHECKS: readonly Check[] = [
  {
    id: "errors-are-open-to-pages",
    rule: "C1",
    title: "errors and unknown addresses can be read by any page, too",
    run: async (kit) => {
      for (const [method, path] of CALLS) {
        const answer = await kit.call(method, path);
        assertSame(
          answer.headers["access-control-allow-origin"],
          "*",
          `${answer.asked}: Access-Control-Allow-Origin`,
        );
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

function assertListed(answer: Answer, header: string, wanted: readonly string[]): void {
  const text = String(answer.headers[header] ?? "");
  const given = new Set(text.toLowerCase().split(/\s*,\s*/));
  const lacking = wanted.find((word) => !given.has(word.toLowerCase()));
  assert(
    lacking === undefined,
    `${answer.asked}: ${header} is ${show(text)}; it lacks ${lacking}.`,
  );
}
