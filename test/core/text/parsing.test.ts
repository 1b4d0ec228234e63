import { expect, test } from "vitest";
import {
  formatLimitSpan,
  JSON_SIZE,
  PACKAGE_SIZE,
  RESULTS_SIZE,
} from "../../../core/text/format-limit.ts";
import { parseDecimal } from "../../../core/text/format-number.ts";
import { isJsonObject } from "../../../core/text/json-object.ts";
import {
  findJsonError,
  formatJsonError,
  parseJson,
  parseJsonOrThrow,
} from "../../../core/text/parse-json.ts";
import { sentenceOf, withoutTryAgain } from "../../../core/text/sentence-of.ts";

test("parsing invalid JSON returns undefined", () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] });
  expect([parseJson("null"), parseJson(""), parseJson("{")]).toEqual([null, undefined, undefined]);
});

test("[B8] names what Git LFS left in place of a JSON file", () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12\n";
  expect(formatJsonError(pointer)).toBe("is a Git LFS pointer: run git lfs pull.");
  expect(formatJsonError("version 1")).toBe("isn't valid JSON (line 1, column 1).");
});

test("[K17] a byte order mark in front of JSON doesn't count, and none elsewhere is skipped", () => {
  expect(parseJson('\uFEFF{"a": "\uFEFF"}')).toEqual({ a: "\uFEFF" });
  expect(parseJsonOrThrow("\uFEFF[]")).toEqual([]);
  expect(formatJsonError("\uFEFF[1] [")).toBe("isn't valid JSON (line 1, column 5).");
  for (const text of ["\uFEFF\uFEFF{}", "{}\uFEFF", "\uFEFF"]) {
    expect(parseJson(text)).toBeUndefined();
    expect(() => parseJsonOrThrow(text)).toThrow(SyntaxError);
  }
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

test.each([
  ["1.5", 1.5],
  [" 1,5 ", 1.5],
  ["+3", 3],
  ["-2", -2],
  ["−2", -2],
  ["–2,5", -2.5],
  [".5", 0.5],
  ["12.", 12],
  ["120", 120],
  ["", undefined],
  ["  ", undefined],
  ["x1", Number.NaN],
  ["1x", Number.NaN],
  ["1,5,5", Number.NaN],
  ["1−2", Number.NaN],
  [".", Number.NaN],
  ["1e3", Number.NaN],
  ["x", Number.NaN],
])("the typed number %j is %s", (typed, number) => {
  expect(parseDecimal(typed)).toBe(number);
});

test.each([
  [604_800, "7 days"],
  [86_400, "24 hours"],
  [3600, "1 hour"],
  [7200, "2 hours"],
  [600, "10 minutes"],
  [60, "60 seconds"],
  [90, "90 seconds"],
  [1, "1 second"],
])("a limit of %i seconds is called %s", (seconds, words) => {
  expect(formatLimitSpan(seconds)).toBe(words);
});

test("sizes are those of the limits", () => {
  expect([PACKAGE_SIZE, JSON_SIZE, RESULTS_SIZE]).toEqual(["200 MB", "1 MiB", "64 KiB"]);
});
