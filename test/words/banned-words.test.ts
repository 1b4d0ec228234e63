import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BANNED } from "./banned-words.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Files that must name old words: the list itself, aliases, and what 0.1.0 made. */
const EXEMPT =
  /^(test\/words\/|test\/upgrade\/|fixtures\/(data-0\.1\.0|packages|refused)\/|(core|relay)\/deprecated\.ts$|CHANGELOG\.md$|.*\.generated\.|package-lock\.json$)/;

/** Lines that keep a word because it is part of a format, an API or a proper name. */
const KEPT: readonly (readonly [file: RegExp, words: RegExp])[] = [
  // A key and an outcome of the conformance report's JSON, which is a format (rule Q5).
  [/^tools\/conformance\/(badge|format-report|junit|report|run-checks)\.ts$/, /\bhindered\b/],
  [/^test\/tools\/conformance\/.*\.test\.ts$/, /"hindered"|hindered: 0|i3-hindered/],
  [/^docs\/rules\/conformance\.md$/, /`hindered`|^\{relay, keeps_the_contract/],
  // The option of 0.1.0 that `buildRelay` still accepts, and that version's name of a type.
  [/^relay\/open-ports\.ts$/, /doorbell\?: Doorbell|given\.doorbell/],
  [/^relay\/index\.ts$/, /RelayOptions as RelayParts/],
  // The id of an operation of the public contract.
  [/^relay\/http\/contract\/openapi\/app-operations\.ts$/, /id: "takeBackPackage"/],
  [/^test\/relay\/http\/contract\/app-cases\.ts$/, /world\.call\("takeBackPackage"/],
  // Survivors quote the code as it is.
  [/^docs\/mutants\.md$/, /^- \d+: /],
  // The pattern's name in the field.
  [/^docs\/glossary\.md$/, /doorbell pattern/],
];

function textFiles(): readonly string[] {
  const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  return tracked.filter(
    (file) => /\.(tsx?|css|html|md|cjs|mjs|sh|yml|json)$/.test(file) && !EXEMPT.test(file),
  );
}

test("code, documents and pages have no banned words", () => {
  const patterns = BANNED.map(
    ([pattern, better]) => [new RegExp(`(?<![\\w-])(${pattern})(?![\\w-])`), better] as const,
  );
  const found = textFiles().flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        patterns.flatMap(([pattern, better]) => {
          const word = pattern.exec(line)?.[0];
          const isKept = KEPT.some(([path, words]) => path.test(file) && words.test(line));
          return word === undefined || isKept ? [] : [`${file}:${index + 1} ${word} → ${better}`];
        }),
      ),
  );
  expect(found).toEqual([]);
});
