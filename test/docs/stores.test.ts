import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as suites from "../contracts/relay/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/build/stores.md"), "utf8");

/** The first cells of the table with this head. */
function cellsBelow(head: string): string {
  const [, rows = ""] = PAGE.split(`\n| ${head} |`);
  return (rows.split("\n\n", 1)[0] ?? "")
    .split("\n")
    .map((row) => row.split(" | ", 1)[0])
    .join("\n");
}

test("docs/build/stores.md lists every file of docs/examples/stores, and no other", () => {
  const listed = [...cellsBelow("File").matchAll(/examples\/stores\/([\w.-]+)\)/g)];
  const files = readdirSync(join(ROOT, "docs/examples/stores"));
  expect(listed.map(([, name = ""]) => name).toSorted()).toEqual(files.toSorted());
});

test("docs/build/stores.md lists every suite of soundferry/relay/testing, and no other", () => {
  const listed = [...cellsBelow("Suite").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  const { PLANTED_FAULTS: _, ...made } = suites;
  expect(listed.toSorted()).toEqual(Object.keys(made).toSorted());
});
