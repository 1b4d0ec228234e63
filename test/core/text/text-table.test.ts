import { displayWidth, formatTable } from "../../../core/text/text-table.ts";
import { expect, test } from "vitest";

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
  ["\u001b\u0000", 0],
  ["𠮷", 2],
])("%j takes %d cells", (text, cells) => {
  expect(displayWidth(text)).toBe(cells);
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
