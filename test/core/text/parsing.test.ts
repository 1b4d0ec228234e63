import { expect, test } from "vitest";
import { isJsonObject } from "../../../core/text/json-object.ts";
import { findJsonError, formatJsonError, parseJson } from "../../../core/text/parse-json.ts";
import { sentenceOf, withoutTryAgain } from "../../../core/text/sentence-of.ts";

test("parsing invalid JSON returns undefined", () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] });
  expect([parseJson("null"), parseJson(""), parseJson("{")]).toEqual([null, undefined, undefined]);
});

test("a JSON object is neither null nor a list", () => {
  expect([{}, Object.create(null)].map(isJsonObject)).toEqual([true, true]);
  expect([null, [], "x", 1, undefined, true].some(isJsonObject)).toBe(false);
});

test.each([
  ["", 0, "line 1, column 1"],
  ['{"a": 1', 7, "line 1, column 8"],
  ['{\n  "a": 1,\n  b: 2\n}', 14, "line 3, column 3"],
  ["x", 0, "line 1, column 1"],
  ["[1] [", 4, "line 1, column 5"],
])("in %j the first error is at %i: %s", (text, at, place) => {
  expect(findJsonError(text)).toBe(at);
  expect(formatJsonError(text)).toBe(`isn't valid JSON (${place}).`);
});

test("whatever was thrown has a sentence", () => {
  expect(sentenceOf(new TypeError("The disk is full."))).toBe("The disk is full.");
  expect([sentenceOf("odd"), sentenceOf(undefined)]).toEqual(["odd", "undefined"]);
});

test.each([
  ["The relay is busy. Try again in 5 seconds.", "The relay is busy."],
  ["Too many codes. Try again later.", "Too many codes."],
  ["Try again in a minute. The relay is busy.", "Try again in a minute. The relay is busy."],
  ["Busy. Try again later. Or don't.", "Busy. Try again later. Or don't."],
])("%j without its advice is %j", (sentence, expected) => {
  expect(withoutTryAgain(sentence)).toBe(expected);
});
