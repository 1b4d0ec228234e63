import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { contractOf } from "../../../relay/http/calls/contract-calls.ts";
import { RETRY_ADVICE, TOKEN_ADVICE } from "../../../relay/http/contract/advice.ts";
import { llmsText } from "../../../relay/http/contract/llms-text.ts";
import { ROUTES } from "../../../relay/http/routes.ts";
import { promisedBy, requirePromised, UNLISTED } from "./contract/promised.ts";

const operations = promisedBy(contractOf(ROUTES));
/** The operations whose refusals have no body. */
const BODILESS: ReadonlySet<string> = new Set(["readUploadOffset"]);

const DOCS = join(import.meta.dirname, "../../../docs/use");
const ERRORS = readFileSync(join(DOCS, "errors.md"), "utf8");

/** The codes of a row of the docs' table of calls. */
function documentedFor(calls: string): string[] {
  const row = ERRORS.split("\n").find((line) => line.startsWith(`| ${calls} |`)) ?? "";
  return [...row.matchAll(/`(\w+)`/g)].flatMap(([, code = ""]) => (code in REFUSALS ? code : []));
}

function listing(code: string): string[] {
  const whole = `${REFUSALS[code as keyof typeof REFUSALS].status} ${code}`;
  return operations.filter(({ codes }) => codes.has(whole)).map(({ id }) => id);
}

const all = (but: readonly string[] = []): string[] =>
  operations.map(({ id }) => id).filter((id) => !BODILESS.has(id) && !but.includes(id));

describe("the contract's refusals", () => {
  test("[O2] are all that the relay has, but for some with a reason", () => {
    const listed = new Set(operations.flatMap(({ codes }) => [...codes]));
    const missing = Object.entries(REFUSALS)
      .filter(([code, { status }]) => !listed.has(`${status} ${code}`))
      .map(([code]) => code);
    expect(missing.sort()).toEqual(Object.keys(UNLISTED).sort());
  });

  test("[O2] of what any call may meet are at each operation", () => {
    const probes = ["isServing", "isReady"];
    const everywhere = Object.keys(REFUSALS).filter(
      (code) => listing(code).length === all().length,
    );
    expect(everywhere.sort()).toEqual(documentedFor("Each").sort());
    expect(everywhere).toContain("BUSY");
    for (const code of ["HOST_UNKNOWN", "ADDRESS_BLOCKED"])
      expect(listing(code), code).toEqual(all(probes));
    expect(documentedFor("Each but `/healthz` and `/readyz`")).toEqual([
      "HOST_UNKNOWN",
      "ADDRESS_BLOCKED",
    ]);
  });

  test("[O2] of what some calls may meet are at those", () => {
    const withToken = listing("TOKEN_MISSING");
    const ofOne = new Set(["TOKEN_UNKNOWN", "IMPORTER_UNKNOWN", "IMPORTER_TOO_OLD"]);
    for (const code of documentedFor("With a token").filter((each) => !ofOne.has(each)))
      expect(listing(code), code).toEqual(withToken);
    expect(withToken.toSorted()).toEqual(
      [...listing("TOKEN_UNKNOWN"), ...listing("IMPORTER_UNKNOWN")].sort(),
    );
    const changing = operations.filter(({ method }) => !["GET", "HEAD"].includes(method));
    for (const code of documentedFor("Other than `GET` and `HEAD`"))
      expect(listing(code), code).toEqual(changing.map(({ id }) => id));
    const withJson = documentedFor("With a JSON body");
    expect(withJson).toContain("JSON_TOO_COMPLEX");
    for (const code of withJson) expect(listing(code), code).toEqual(listing("NOT_JSON"));
    expect(listing("SOUND_DENIED")).toEqual([
      "announcePackage",
      "uploadFile",
      "appendToFile",
      "commitPackage",
      "takePackage",
      "downloadFile",
    ]);
    expect(listing("SOUND_LOST")).toEqual(["downloadFile"]);
  });

  test("[L2] for lack of room are at the calls that the docs name, and all of them are there", () => {
    const rows = /## No room\n[^]*?\n\n(\|[^]*?)\n\n/.exec(ERRORS)?.[1] ?? "";
    const ofDocs = rows
      .split("\n")
      .slice(2)
      .map((row) => row.split(" | ").map((cell) => cell.replaceAll(/^\| |`/g, "")));
    expect(ofDocs.map(([code = ""]) => code).sort()).toEqual(
      Object.entries(REFUSALS)
        .filter(([, { status }]) => status === 507)
        .map(([code]) => code)
        .sort(),
    );
    for (const [code = "", calls = ""] of ofDocs) {
      const ids = listing(code);
      const carrying = ["uploadFile", "appendToFile"].filter((id) => ids.includes(id));
      expect(ids.includes("announcePackage"), code).toBe(true);
      expect(carrying.length === 2, code).toBe(/an upload|whatever/.test(calls));
      expect(ids.length > 3, code).toBe(calls === "whatever changes something");
    }
  });

  test("[O2] have whole sentences as their examples", () => {
    const text = JSON.stringify(contractOf(ROUTES).paths);
    expect(text.match(/"error":"[^"]*[{}][^"]*"/g) ?? []).toEqual([]);
  });

  test("[O2] are the only ones that a call may get, wherever a test calls", () => {
    const call = { method: "GET", path: "/packages/pkg_1/status?wait=3" };
    requirePromised(call, { status: 404, code: "PACKAGE_UNKNOWN" });
    requirePromised({ ...call, path: "/nowhere" }, { status: 404, code: "CODE_UNKNOWN" });
    for (const [status, code] of [
      [404, "CODE_UNKNOWN"],
      [403, "PACKAGE_UNKNOWN"],
    ] as const)
      expect(() => requirePromised(call, { status, code })).toThrow(
        `The contract of readStatus lists no ${status} ${code}.`,
      );
  });
});

test.each([
  ["W7", TOKEN_ADVICE],
  ["W4", RETRY_ADVICE],
])("[%s] the contract, the guide for programs and the docs say the same", (_rule, advice) => {
  const document = contractOf(ROUTES);
  const texts = [
    document.info.description,
    llmsText(document, { hasPages: true }),
    readFileSync(join(DOCS, "api.md"), "utf8"),
  ];
  for (const text of texts) expect(text.replaceAll(/\s+/g, " ")).toContain(advice);
});

test("[U10] an append's 409 has the headers of the right offset, and nothing else has them", () => {
  const { paths } = contractOf(ROUTES);
  const headers = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(
          ([status, response]) => Number(status) >= 400 && "Upload-Offset" in response.headers,
        )
        .map(([status, response]) => [method, path, status, "Upload-Complete" in response.headers]),
    ),
  );
  expect(headers).toEqual([["patch", "/packages/{id}/files/{file}", "409", true]]);
});
