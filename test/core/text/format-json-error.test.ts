import { expect, test } from "vitest";
import { formatJsonError } from "../../../core/text/parse-json.ts";

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
