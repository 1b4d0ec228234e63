import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanName, readName } from "../../../core/text/clean-name.ts";
import { anyText } from "./any-text.ts";

describe("cleaning a name", () => {
  test("[M6] letters and marks of any language, decimal digits and the listed signs stay", () => {
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
  ])("[M6] in %j every other code point becomes a space", (raw, cleaned) => {
    expect(readName(raw)).toEqual({ text: cleaned, change: "cleaned" });
  });

  test("[M6] an emoji of several code points becomes one space, being a run of them", () => {
    expect(cleanName("a👩‍👩‍👧b")).toBe("a b");
  });

  test("[M6] is NFC, with runs of spaces collapsed and trimmed; that alone is no change", () => {
    expect(readName("  Cafe\u0301   del  Mar ")).toEqual({ text: "Café del Mar", change: "none" });
    expect(readName("\u1100\u1161")).toEqual({ text: "가", change: "none" });
  });

  test("[M6] NFC comes first: a sign with its mark is one code point that can't be used", () => {
    expect(cleanName("a =\u0338 b")).toBe("a b");
  });

  test("[M6] is cut to 40 code points, not UTF-16 units", () => {
    expect(readName("𐐀".repeat(40))).toEqual({ text: "𐐀".repeat(40), change: "none" });
    expect(readName("𐐀".repeat(41))).toEqual({ text: "𐐀".repeat(40), change: "cut" });
  });

  test("[M6] a cut never parts a letter from its marks where that fits", () => {
    expect(cleanName(`${"x".repeat(39)}q\u0323\u0301`)).toBe("x".repeat(39));
    expect(cleanName(`${"x".repeat(37)}q\u0323\u0301y`)).toBe(`${"x".repeat(37)}q\u0323\u0301`);
    expect(cleanName(`q${"\u0301".repeat(50)}`)).toBe(`q${"\u0301".repeat(39)}`);
  });

  test("[M6] a cut leaves no space at the end", () => {
    expect(cleanName(`${"x".repeat(39)} yz`)).toBe("x".repeat(39));
  });

  test("[M6] is empty where nothing visible is left", () => {
    for (const raw of ["", "   ", "🥁", "❤️", "\u3164", "\u0000", "\u0301", "/\\:"]) {
      expect(cleanName(raw), JSON.stringify(raw)).toBe("");
    }
  });

  test("[M6] any text gives at most 40 code points of the allowed ones, and cleaning again changes nothing", () => {
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

  test("[M6] what follows more than a thousand code points is not looked at", () => {
    expect(readName(`${"/".repeat(2000)}Kick`)).toEqual({ text: "", change: "cut" });
    expect(readName(`${" ".repeat(2000)}Kick`)).toEqual({ text: "Kick", change: "none" });
  });

  test("[M6] a mountain of combining marks in the wrong order is cut before it is put in order", () => {
    // Whole, these would take minutes.
    const name = cleanName(`a${"\u0301\u0323".repeat(250_000)}`);
    expect(Array.from(name)).toHaveLength(40);
  });
});
