import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../../core/quotas/budgets.ts";
import { isJsonTooComplex } from "../../../core/text/is-json-too-complex.ts";
import { formatJsonError } from "../../../core/text/parse-json.ts";
import { describe, expect, test } from "vitest";

test.each([
  ["nothing", "", "line 1, column 1"],
  ["another kind of file", "RIFF....WAVE", "line 1, column 1"],
  ["a comma too many in an object", '{\n  "a": 1,\n}', "line 3, column 1"],
  ["a comma too many in a list", "[1,\n 2,\n]", "line 3, column 1"],
  ["a missing comma", '{\n  "a": 1\n  "b": 2\n}', "line 3, column 3"],
  ["a misspelled word", '{\n  "a": treu\n}', "line 2, column 10"],
  ["single quotes", "{\n  'a': 1\n}", "line 2, column 3"],
  ["a string that never ends", '{\n  "a": "b', "line 2, column 10"],
  ["a line break in a string", '{\n  "a": "b\n"}', "line 2, column 10"],
  ["a number without digits", '{"a": -}', "line 1, column 8"],
  ["a wrong escape", String.raw`{"a": "\x"}`, "line 1, column 9"],
  ["a cut escape", String.raw`{"a": "\u00`, "line 1, column 12"],
  ["an object that never ends", '{"a": [1, tr', "line 1, column 13"],
  ["text after the end", "{}\n}", "line 2, column 1"],
])("locates %s", (_, text, place) => {
  expect(formatJsonError(text)).toBe(`isn't valid JSON (${place}).`);
});

const judge = (json: string) => isJsonTooComplex(new TextEncoder().encode(json));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("[L9] JSON that is too complex is noticed before it is parsed", () => {
  test("depth, of lists and objects alike", () => {
    expect(judge(nested(MAX_JSON_DEPTH))).toBe(false);
    expect(judge(nested(MAX_JSON_DEPTH + 1))).toBe(true);
    expect(judge('{"a":'.repeat(MAX_JSON_DEPTH + 1))).toBe(true);
    expect(judge(`[${"[[]],".repeat(1000)}1]`)).toBe(false);
  });

  test("values and keys together", () => {
    const list = (length: number) => JSON.stringify(Array<number>(length).fill(1));
    expect(judge(list(MAX_JSON_VALUES))).toBe(false);
    expect(judge(list(MAX_JSON_VALUES + 1))).toBe(true);
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])));
    expect(judge(keys(MAX_JSON_VALUES / 2))).toBe(false);
    expect(judge(keys(MAX_JSON_VALUES / 2 + 1))).toBe(true);
  });

  test("text in strings counts nothing, with any escapes", () => {
    const hostile = ["[".repeat(100), ",".repeat(50_000), '\\"'.repeat(100), '"[[', "\\", "\\\\"];
    expect(judge(JSON.stringify(hostile.map((text) => `${text}${"[".repeat(40)}`)))).toBe(false);
    expect(judge(`["\\\\",${nested(40)}]`)).toBe(true);
    expect(judge(`["\\\\\\"",${nested(40)}]`)).toBe(true);
    expect(judge('"never ends [[[[')).toBe(false);
    expect(judge("")).toBe(false);
  });

  test("a mebibyte of anything takes time in proportion to its length", () => {
    const shapes = ['"', "\\", '\\"', '"\\', '"\\\\', "{", ",", '"a",'];
    for (const shape of shapes) judge(shape.repeat(1_048_576 / shape.length));
    expect(judge(`["${"\\".repeat(1_048_576)}`)).toBe(false);
  });
});
