import { displayWidth, formatTable } from "../../../core/text/text-table.ts";
import { expect, test, describe } from "vitest";
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../../core/quotas/budgets.ts";
import { isJsonTooComplex } from "../../../core/text/is-json-too-complex.ts";
import { formatJsonError } from "../../../core/text/parse-json.ts";

test("columns are as wide as their widest cell", () => {
  const columns = [
    { heading: "App", align: "left" },
    { heading: "Sounds", align: "right" },
    { heading: "Seen", align: "left" },
  ] as const;
  expect(
    formatTable(columns, [
      ["ループ", "3", "today"],
      ["Looper", "12"],
    ]),
  ).toEqual([
    "App     Sounds  Seen",
    "──────  ──────  ─────",
    "ループ       3  today",
    "Looper      12",
  ]);
});

test("a table without rows has only its headings", () => {
  expect(formatTable([{ heading: "App", align: "left" }], [])).toEqual(["App", "───"]);
});

test("lines have no trailing spaces, and a missing cell is empty", () => {
  const columns = [
    { heading: "A", align: "right" },
    { heading: "Long", align: "left" },
  ] as const;
  expect(formatTable(columns, [["10", "x"], ["1"]])).toEqual([
    " A  Long",
    "──  ────",
    "10  x",
    " 1",
  ]);
});

test.each([
  ["", 0],
  ["Kick (1)", 8],
  ["低音", 4],
  ["カウベル", 8],
  ["ｶｳﾍﾞﾙ", 5],
  ["드럼", 4],
  ["\u1103\u1173\u1105\u1165\u11b7", 4],
  ["e\u0301t\u00e9", 3],
  ["กลองใหญ่", 7],
  ["ליל", 3],
  ["🥁", 2],
  ["👩🏽‍🎤", 2],
  ["👨‍👩‍👧‍👦", 2],
  ["🇫🇮🇯🇵", 4],
  ["❤️", 2],
  ["❤", 1],
  ["👋🏾", 2],
  ["a\u200db", 2],
  ["Å – ½ — ĳ…", 10],
  ["a\u00adb", 2],
  ["©\ufe0f", 2],
  ["\u001b\u0000", 0],
  ["𠮷", 2],
])("%j takes %d cells", (text, cells) => {
  expect(displayWidth(text)).toBe(cells);
});

test("a text of common characters is as wide as its characters beside a wide one", () => {
  const common = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code));
  for (const character of [...common, "–", "—", "…"]) {
    expect(displayWidth(character), character).toBe(displayWidth(`${character}低`) - 2);
  }
});

// First and last of each block that Unicode's EastAsianWidth.txt has as wide, where they are letters or signs.
test.each([
  ["Hangul Jamo", 0x1100, 0x115f],
  ["CJK radicals to CJK symbols", 0x2e80, 0x303e],
  ["Hiragana to Yi", 0x3041, 0xa4cf],
  ["Hangul Jamo Extended-A", 0xa960, 0xa97c],
  ["Hangul syllables", 0xac00, 0xd7a3],
  ["CJK compatibility ideographs", 0xf900, 0xfaff],
  ["vertical forms", 0xfe10, 0xfe19],
  ["CJK compatibility forms", 0xfe30, 0xfe6b],
  ["fullwidth forms", 0xff01, 0xff60],
  ["fullwidth signs", 0xffe0, 0xffe6],
  ["Tangut and Nüshu", 0x16fe0, 0x18d08],
  ["Kana supplements", 0x1aff0, 0x1b2fb],
  ["CJK extensions", 0x20000, 0x3fffd],
])("%s are two cells wide, from first to last", (_, first, last) => {
  expect(displayWidth(String.fromCodePoint(first))).toBe(2);
  expect(displayWidth(String.fromCodePoint(last))).toBe(2);
});

test.each([0x10ff, 0x2e7f, 0x303f, 0xa4d0, 0xabff, 0xfe1a, 0xff61, 0xffdf, 0xffe7, 0x1ffff])(
  "what stands beside a wide block is one cell wide: %d",
  (codePoint) => {
    expect(displayWidth(String.fromCodePoint(codePoint))).toBe(1);
  },
);

test.each([
  ["an enclosing mark", "a\u20dd", 1],
  ["a soft hyphen", "a\u00adb", 2],
  ["later parts of old Hangul syllables", "\u1100\u1160\u11a8\ud7b0\ud7cb", 2],
  ["the emoji style after a wide emoji", "\u{1f941}\ufe0f", 2],
  ["the emoji style at the start", "\ufe0fa", 1],
  ["a skin tone on its own", "\u{1f3fd}", 2],
  ["a skin tone after what has none", "\u{1f941}\u{1f3fd}", 4],
  ["two emoji without a joiner", "\u{1f468}\u{1f469}", 4],
  ["one flag letter", "\u{1f1eb}", 1],
  ["a heart joined to another emoji", "\u{1f468}\u200d\u2764\ufe0f\u200d\u{1f468}", 2],
])("%s: %j", (_, text, cells) => {
  expect(displayWidth(text)).toBe(cells);
});

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
