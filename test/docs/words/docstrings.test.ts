import { expect, test } from "vitest";
import { readTracked } from "./tracked-texts.ts";

/** A sentence with one of these openings is a clause that needs the signature below it. */
const CLAUSE = /^(?:What|Of|As|Where|Those|Which|Who|That|Once|If|Whether|How|When|Whose|For)\b/;

/** Beginnings of whole sentences. */
const WHOLE = /^(?:As of|Of course|Once a|For example)\b/;

const DOCSTRING = /\/\*\*\s*([\s\S]*?)\*\//g;

/** The first words of each docstring of a source, with their line. */
function openingsOf(source: string): readonly { line: number; text: string }[] {
  return [...source.matchAll(DOCSTRING)].map(({ 1: inner = "", index }) => ({
    line: source.slice(0, index).split("\n").length,
    text: inner.replace(/^\s*\*?\s*/, "").split("\n", 1)[0] ?? "",
  }));
}

test("every docstring begins with a verb or a noun, not with a clause that needs its signature", () => {
  const clauses = readTracked((file) => /\.(?:tsx?|py)$/.test(file)).flatMap(
    ({ file, text: source }) =>
      openingsOf(source)
        .filter(({ text }) => CLAUSE.test(text) && !WHOLE.test(text))
        .map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(clauses).toEqual([]);
});
