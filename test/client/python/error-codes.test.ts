import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { PACKAGE } from "./run-python.ts";

const CLIENT_ERROR = join(import.meta.dirname, "../../../client/wire/client-error.ts");

/** The codes in a text that are the client's own. */
function ownCodesIn(text: string, pattern: RegExp): readonly string[] {
  const codes = [...text.matchAll(pattern)].map(([, code = ""]) => code);
  return [...new Set(codes)].filter((code) => !(code in REFUSALS) && code !== "DELETE").toSorted();
}

test("[W6] the Python client's README lists every code that the client makes itself", () => {
  // The package's other files have names of other things in capitals.
  const paths = globSync("soundferry/[a-z]*.py", { cwd: PACKAGE });
  expect(paths.length).toBeGreaterThan(15);
  const sources = paths.map((path) => readFileSync(join(PACKAGE, path), "utf8")).join("\n");
  const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
  expect(ownCodesIn(readme, /^\| `([A-Z_]+)` \|/gm)).toEqual(
    ownCodesIn(sources, /"([A-Z][A-Z_]{5,})"/g),
  );
});

test("[W6] its codes are spelled as the TypeScript client's", () => {
  const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
  const known = ownCodesIn(readFileSync(CLIENT_ERROR, "utf8"), /^ {2}\| "([A-Z_]+)"/gm);
  const own = ownCodesIn(readme, /^\| `([A-Z_]+)` \|/gm);
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((code) => !known.includes(code))).toEqual([]);
});
