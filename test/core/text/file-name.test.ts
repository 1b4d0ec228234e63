import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clashKey,
  fileNameFor,
  folderNameFor,
  isPortableFileName,
  MAX_NAME_BYTES,
} from "../../../core/text/file-name.ts";
import { CODE_POINT } from "../../code-point.ts";

const nothingTaken = () => false;
const wav = (name: string) => fileNameFor(name, ".wav", nothingTaken);
const folder = (title: string) => folderNameFor(title, nothingTaken);

/** Checks whether a name is in use, and remembers each that was given out. */
function takenBy(keys: Set<string>): (candidate: string) => boolean {
  return (candidate) => keys.has(clashKey(candidate));
}

/** Gives files to names one after the other, as an import does. */
function placeAll(names: readonly string[]): string[] {
  const keys = new Set<string>();
  return names.map((name) => {
    const file = fileNameFor(name, ".wav", takenBy(keys));
    keys.add(clashKey(file));
    return file;
  });
}

describe("a safe name", () => {
  test.each([
    ["Kick", "Kick.wav"],
    ["Kick 2.1 (long) & wide!", "Kick 2.1 (long) & wide!.wav"],
    ["低音 – ベース", "低音 – ベース.wav"],
    ["e\u0301te\u0301", "\u00e9t\u00e9.wav"],
  ])("[F1] keeps %j: %j", (name, file) => {
    expect(wav(name)).toBe(file);
  });

  test.each([
    ['AC/DC: who? <me> \\ "you" | *', "AC DC who me you"],
    ["a\u0000b\u001fc\u007fd", "a b c d"],
    ["one\r\ntwo\u2028three", "one two three"],
    ["gpj\u202exe", "gpj xe"],
    ["half \ud83e of a pair", "half of a pair"],
    ["no\ufffecharacter\ufeff", "no character"],
    ["wide\u3000and\u00a0narrow", "wide and narrow"],
  ])("[F1] %j loses forbidden characters: %j", (title, name) => {
    expect(folder(title)).toBe(name);
  });

  test.each([
    [".hidden", "hidden"],
    ["...", "Untitled"],
    [".", "Untitled"],
    ["..", "Untitled"],
    ["../../etc/passwd", "etc passwd"],
    ["trailing. . .", "trailing"],
    ["  both ends  ", "both ends"],
    ["dots.in.between", "dots.in.between"],
  ])("[F1] %j loses leading and trailing dots and spaces: %j", (title, name) => {
    expect(folder(title)).toBe(name);
  });

  test.each(["", " ", "///", "\u0301", "\u200d\ufe0f", "\u3164"])(
    "[F1] %j has nothing visible and gets a default",
    (name) => {
      expect(wav(name)).toBe("Sound.wav");
      expect(folder(name)).toBe("Untitled");
    },
  );

  test.each([
    ..."CON con Prn AUX nul COM1 com9 LPT1 lpt9 COM¹ LPT³ CONIN$ conout$ NUL.tar Con. aux:".split(
      " ",
    ),
    "con .mix",
  ])("[F1] %j is a Windows device and gets an underscore", (name) => {
    expect(wav(name)).toMatch(/^_.+\.wav$/);
    expect(folder(name)).toMatch(/^_./);
  });

  test.each(["Console", "COM10", "COM", "Auxiliary", "nulls", "LPT0 take", "CON 2"])(
    "[F1] %j only looks like a device",
    (name) => {
      expect(folder(name)).toBe(name);
    },
  );

  test("[F1] is cut to 255 bytes including its extension, between characters", () => {
    expect(wav("a".repeat(300))).toBe(`${"a".repeat(251)}.wav`);
    expect(wav("低".repeat(100))).toBe(`${"低".repeat(83)}.wav`);
    expect(folder("🥁".repeat(64))).toBe("🥁".repeat(63));
    expect(folder(`${"a".repeat(254)}x\u0323\u0302`)).toBe("a".repeat(254));
    expect(folder(`${"a".repeat(253)} .b`)).toBe("a".repeat(253));
  });

  test("[F1] is cut among the marks of a letter with too many", () => {
    expect(folder(`x${"\u0323".repeat(300)}`)).toBe(`x${"\u0323".repeat(127)}`);
  });
});

describe("a clash", () => {
  test("[F1] gets a number before the extension", () => {
    expect(placeAll(["Kick", "Kick", "Kick", "Snare"])).toEqual([
      "Kick.wav",
      "Kick 2.wav",
      "Kick 3.wav",
      "Snare.wav",
    ]);
  });

  test("[F1] is detected with a name that looks numbered", () => {
    expect(placeAll(["Kick 2", "Kick", "Kick", "Kick 2"])).toEqual([
      "Kick 2.wav",
      "Kick.wav",
      "Kick 3.wav",
      "Kick 2 2.wav",
    ]);
  });

  test("[F1] ignores letter case, composition and invisible characters", () => {
    expect(placeAll(["Été", "E\u0301TE\u0301", "été", "é\u200dté"])).toEqual([
      "Été.wav",
      "ÉTÉ 2.wav",
      "été 3.wav",
      "é\u200dté 4.wav",
    ]);
    expect(clashKey("STRASSE")).toBe(clashKey("straße"));
    expect(clashKey("ΟΔΟΣ")).toBe(clashKey("οδος"));
    expect(clashKey("Kick")).not.toBe(clashKey("Kick 2"));
  });

  test("[F1] keeps its number within the 255 bytes", () => {
    const long = "a".repeat(300);
    expect(placeAll([long, long])).toEqual([`${"a".repeat(251)}.wav`, `${"a".repeat(249)} 2.wav`]);
  });

  test("[F1] is resolved the same way for folders", () => {
    expect(folderNameFor("Demo", takenBy(new Set([clashKey("demo")])))).toBe("Demo 2");
  });
});

describe("any name at all", () => {
  const anyName = fc.oneof(
    fc.string({ unit: CODE_POINT, maxLength: 300 }),
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom(...Array.from("CONcon1¹.$ /\\:\u0301\u200d\ud800é低🥁")),
      maxLength: 300,
    }),
  );

  test("[F1] becomes a name that is valid on every system", () => {
    fc.assert(
      fc.property(anyName, (name) => {
        for (const safe of [wav(name), folder(name)]) {
          expect(new TextEncoder().encode(safe).length).toBeLessThanOrEqual(MAX_NAME_BYTES);
          expect(safe).toBe(safe.normalize("NFC"));
          expect(safe).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
          expect(safe).not.toMatch(/^[. ]|[. ]$/);
          expect(safe).not.toMatch(/^(con|prn|aux|nul|(com|lpt)[1-9¹²³]|con(in|out)\$) *(\.|$)/i);
          expect(safe.replace(/\.wav$/, "")).not.toBe("");
        }
      }),
    );
  });

  test("[F1] gets a unique file name, the same on every call", () => {
    fc.assert(
      fc.property(fc.array(anyName, { maxLength: 32 }), (names) => {
        const files = placeAll([...names, ...names]);
        expect(new Set(files.map(clashKey)).size).toBe(files.length);
      }),
    );
  });

  test("[F1] clashes with itself in any letter case and composition", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const name = text.normalize("NFC");
        for (const other of [name.toUpperCase(), name.toLowerCase(), name.normalize("NFD")]) {
          expect(clashKey(other)).toBe(clashKey(name));
        }
      }),
    );
  });
});

test("[F1] every name that a file is given is a portable one, and no other is", () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT, maxLength: 80 }), (name) => {
      expect(isPortableFileName(wav(name), ".wav")).toBe(true);
      const isSame = name.endsWith(".wav") && wav(name.slice(0, -4)) === name;
      expect(isPortableFileName(name, ".wav")).toBe(isSame);
    }),
  );
  const others = [
    "../a.wav",
    "a/b.wav",
    "CON.wav",
    "a.wav.",
    ".wav",
    "Sound.mp3",
    "x".repeat(300) + ".wav",
  ];
  expect(others.filter((name) => isPortableFileName(name, ".wav"))).toEqual([]);
});
