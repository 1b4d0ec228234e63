import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanName, readName } from "../../../core/text/clean-text.ts";
import { anyText } from "./any-text.ts";

describe("cleaning a name", () => {
  test("[M6] keeps letters and marks of any language, decimal digits and the listed signs", () => {
    const names = [
      "Kick_1-(a).'&+#!",
      "Größe",
      "ボーカル",
      "보컬",
      "Ударные",
      "मृदंग",
      "طبلة",
      "ท่วงทำนอง",
      "٣",
    ];
    for (const name of names) expect(readName(name)).toEqual({ text: name, change: "none" });
  });

  test.each([
    ["a/b\\c", "a b c"],
    ["a\tb\nc\u0000d", "a b c d"],
    ["50% off, $5", "50 off 5"],
    ["½ ² Ⅷ", ""],
    ["Kick 🥁 Drum", "Kick Drum"],
    ["a\u00a0b", "a b"],
    ["\u202egnp.exe", "gnp.exe"],
    ["a\u200bb\u200dc", "a b c"],
    ["a\ud800b\udc00c", "a b c"],
    ["<b>&amp;</b>", "b &amp b"],
  ])("[M6] replaces every other code point in %j with a space", (raw, cleaned) => {
    expect(readName(raw)).toEqual({ text: cleaned, change: "cleaned" });
  });

  test("[M6] replaces an emoji of several code points with one space", () => {
    expect(cleanName("a👩‍👩‍👧b")).toBe("a b");
  });

  test("[M6] normalizes to NFC and collapses spaces, which alone isn't a change", () => {
    expect(readName("  Cafe\u0301   del  Mar ")).toEqual({ text: "Café del Mar", change: "none" });
    expect(readName("\u1100\u1161")).toEqual({ text: "가", change: "none" });
  });

  test("[M6] normalizes first: a sign composed with its mark is one unusable code point", () => {
    expect(cleanName("a =\u0338 b")).toBe("a b");
  });

  test("[M6] cuts to 40 code points, not UTF-16 units", () => {
    expect(readName("𐐀".repeat(40))).toEqual({ text: "𐐀".repeat(40), change: "none" });
    expect(readName("𐐀".repeat(41))).toEqual({ text: "𐐀".repeat(40), change: "cut" });
  });

  test("[M6] keeps a letter with its marks when cutting", () => {
    expect(cleanName(`${"x".repeat(39)}q\u0323\u0301`)).toBe("x".repeat(39));
    expect(cleanName(`${"x".repeat(37)}q\u0323\u0301y`)).toBe(`${"x".repeat(37)}q\u0323\u0301`);
    expect(cleanName(`q${"\u0301".repeat(50)}`)).toBe(`q${"\u0301".repeat(39)}`);
  });

  test("[M6] trims the space at the cut", () => {
    expect(cleanName(`${"x".repeat(39)} yz`)).toBe("x".repeat(39));
  });

  test("[M6] returns an empty text if nothing visible is left", () => {
    for (const raw of ["", "   ", "🥁", "❤️", "\u3164", "\u0000", "\u0301", "/\\:"]) {
      expect(cleanName(raw), JSON.stringify(raw)).toBe("");
    }
  });

  test("[M6] returns at most 40 allowed code points for any text, and is idempotent", () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const name = cleanName(raw);
        expect(name).toMatch(
          /^(?:[\p{L}\p{M}\p{Nd}_\-().'&+#!](?:[\p{L}\p{M}\p{Nd} _\-().'&+#!]*))?$/u,
        );
        expect(name).not.toMatch(/ {2}| $/);
        expect(Array.from(name).length).toBeLessThanOrEqual(40);
        expect(name.normalize("NFC")).toBe(name);
        expect(readName(name)).toEqual({ text: name, change: "none" });
      }),
      { numRuns: 500 },
    );
  });

  test("[M6] ignores text after the first 1024 UTF-16 units", () => {
    expect(readName(`${"/".repeat(2000)}Kick`)).toEqual({ text: "", change: "cut" });
    expect(readName(`${" ".repeat(2000)}Kick`)).toEqual({ text: "Kick", change: "none" });
  });

  test("[M6] cuts a huge run of combining marks before sorting it", () => {
    // Whole, these would take minutes.
    const name = cleanName(`a${"\u0301\u0323".repeat(250_000)}`);
    expect(Array.from(name)).toHaveLength(40);
  });
});
