import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanTitle, readTitle } from "../../../core/text/clean-text.ts";
import { anyText } from "./any-text.ts";

describe("cleaning a title", () => {
  test("[M6] keeps every printable character", () => {
    const titles = [
      "100% «Été» — 50/50: \\o/ <b>",
      "🥁 Beat 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽 ❤️ 1️⃣",
      "夜　明け",
      "می‌خواهم",
      "क्‍ष",
      "½ ² Ⅷ € ™",
    ];
    for (const title of titles) expect(readTitle(title)).toEqual({ text: title, change: "none" });
  });

  test.each([
    ["line\nbreak\r\nand\u2028more\u2029", "line break and more"],
    ["a\u0000b\u001bc\u007fd\u0085e", "a b c d e"],
    ["\u202eabc\u202c \u2066d\u2069 \u200ee\u200f \u061cf", "abc d e f"],
    ["a\ud800b\udfffc", "a b c"],
    ["a\u200b\ufeffb\u2060c", "a b c"],
    ["a\ufffeb\u{10ffff}c", "a b c"],
  ])("[M6] replaces unprintable characters in %j with a space", (raw, cleaned) => {
    expect(readTitle(raw)).toEqual({ text: cleaned, change: "cleaned" });
  });

  test("[M6] doesn't count NFC and collapsed spaces as a change", () => {
    expect(readTitle(" \u3000Cafe\u0301 \u00a0 x\u2003")).toEqual({
      text: "Café x",
      change: "none",
    });
  });

  test("[M6] cuts to 60 code points between grapheme clusters", () => {
    expect(readTitle("𝄞".repeat(61))).toEqual({ text: "𝄞".repeat(60), change: "cut" });
    for (const one of ["👩‍👩‍👧", "👍🏽", "🇨🇦", "e\u0333", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]) {
      expect(cleanTitle(`${"x".repeat(59)}${one}`), one).toBe("x".repeat(59));
    }
    expect(cleanTitle(`${"x".repeat(58)}🇨🇦🇧🇷`)).toBe(`${"x".repeat(58)}🇨🇦`);
  });

  test("[M6] accepts another maximum length", () => {
    expect(readTitle("x".repeat(11), 10)).toEqual({ text: "x".repeat(10), change: "cut" });
  });

  test("[M6] returns an empty text if nothing visible is left", () => {
    for (const raw of ["", " \n ", "\u200b", "\u200d\ufe0f", "\u3164", "\ud800", "\u202e"]) {
      expect(cleanTitle(raw), JSON.stringify(raw)).toBe("");
    }
  });

  test("[M6] returns at most 60 printable code points for any text, and is idempotent", () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const title = cleanTitle(raw);
        expect(title).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
        expect(Array.from(title).length).toBeLessThanOrEqual(60);
        expect(readTitle(title)).toEqual({ text: title, change: "none" });
      }),
      { numRuns: 500 },
    );
  });
});
