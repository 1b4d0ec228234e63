import { expect, test } from "vitest";
import { BANNED } from "./banned-words.ts";
import { readTracked } from "./tracked-texts.ts";

/** Files that must name old words: the list itself, and what is generated or given. */
const EXEMPT =
  /^(test\/docs\/words\/|fixtures\/(packages|refused)\/|CHANGELOG\.md$|.*\.generated\.|package-lock\.json$)/;

/** Lines that keep a word because it is part of a format, an API or a proper name. */
const KEPT: readonly (readonly [file: RegExp, words: RegExp])[] = [
  // A key and an outcome of the conformance report's JSON, which is a format (rule Q5).
  [/^cli\/conformance\/(badge|format-report|junit|report|run-checks)\.ts$/, /\bhindered\b/],
  [/^test\/cli\/conformance\/.*\.test\.ts$/, /"hindered"|hindered: 0|i3-hindered/],
  [/^docs\/use\/conformance\.md$/, /`hindered`|^\{relay, keeps_the_contract/],
  // The id of an operation of the public contract.
  [/^relay\/http\/contract\/openapi\/app-operations\.ts$/, /id: "takeBackPackage"/],
  [/^test\/relay\/http\/contract\/app-cases\.ts$/, /world\.call\("takeBackPackage"/],
  // An element of Live's format.
  [/live-set/, /TrackSendHolder/],
  // The pattern's name in the field.
  [/^docs\/build\/glossary\.md$/, /doorbell pattern/],
];

function isChecked(file: string): boolean {
  return /\.(tsx?|css|html|md|cjs|mjs|sh|yml|json)$/.test(file) && !EXEMPT.test(file);
}

function isKept(file: string, line: string): boolean {
  return KEPT.some(([path, words]) => path.test(file) && words.test(line));
}

function bannedWord(pattern: string): RegExp {
  return new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`);
}

test("code, documents and pages have no banned words", () => {
  const any = bannedWord(BANNED.map(([pattern]) => pattern).join("|"));
  const patterns = BANNED.map(([pattern, better]) => [bannedWord(pattern), better] as const);
  const found = readTracked(isChecked).flatMap(({ file, text }) => {
    // Few files have one, and one pattern is quicker than all, line by line.
    if (!any.test(text)) return [];
    return text.split("\n").flatMap((line, index) =>
      patterns.flatMap(([pattern, better]) => {
        const word = pattern.exec(line)?.[0];
        if (word === undefined || isKept(file, line)) return [];
        return [`${file}:${index + 1} ${word} → ${better}`];
      }),
    );
  });
  expect(found).toEqual([]);
});
