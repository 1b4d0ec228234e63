import { expect, test } from "vitest";
import { displayWidth } from "../../../core/text/display-width.ts";

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
