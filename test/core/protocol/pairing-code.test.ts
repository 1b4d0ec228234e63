import { checkGuesses } from "../../../cli/doctor/check-settings.ts";
import { luckyGuessesAYear, PAIRING_CODES } from "../../../core/protocol/lucky-guesses.ts";
import {
  formatPairingCode,
  makePairingCode,
  PAIRING_ALPHABET,
  parsePairingCode,
} from "../../../core/protocol/pairing-code.ts";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import * as fc from "fast-check";

const CASES: { readonly code: string; typed: string[]; notACode: string[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../vectors/pairing-codes.json"), "utf8"),
);

const codes = fc.string({
  unit: fc.constantFrom(...PAIRING_ALPHABET.split("")),
  minLength: 6,
  maxLength: 6,
});

describe("a new code", () => {
  test("[P3] has six symbols of the alphabet, none ambiguous", () => {
    expect(PAIRING_ALPHABET).toBe("23456789ABCDEFGHJKMNPQRSTUVWXYZ");
    for (let turn = 0; turn < 200; turn += 1) {
      expect(makePairingCode(randomBytes)).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    }
  });

  test("[P3] is uniform: each symbol has eight of the byte values, the others are redrawn", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      // The byte in question, then as many zeros (symbol 2) as are still wanted.
      const draws = [Uint8Array.of(byte)];
      const [symbol = ""] = makePairingCode((count) => draws.shift() ?? new Uint8Array(count));
      counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join("")).toBe(PAIRING_ALPHABET);
    // The eight rejected bytes were replaced by the zero that followed.
    expect(counts.get("2")).toBe(16);
    expect([...counts].filter(([symbol]) => symbol !== "2").every(([, n]) => n === 8)).toBe(true);
  });

  test("[P3] requests more bytes after unusable ones", () => {
    const draws = [
      [31, 63, 95, 127, 159, 191],
      [0, 255, 1, 255, 2, 255],
      [3, 4, 30],
    ];
    const code = makePairingCode(() => Uint8Array.from(draws.shift() ?? []));
    expect(code).toBe("23456Z");
  });
});

describe("a code that a person reads and types", () => {
  test("[P3] is shown with a space in the middle", () => {
    expect(formatPairingCode("K7MQ2X")).toBe("K7M Q2X");
  });

  test.each(CASES.typed)("[P3] %j is K7MQ2X", (text) => {
    expect(parsePairingCode(text)).toBe(CASES.code);
  });

  test.each(CASES.notACode)("[P3] %j isn't a code", (text) => {
    expect(parsePairingCode(text)).toBeUndefined();
  });

  test("[P3] has at most 200 characters, so that a longer text costs nothing", () => {
    expect(parsePairingCode(`K7MQ2X${"\u200b".repeat(194)}`)).toBe("K7MQ2X");
    expect(parsePairingCode(`K7MQ2X${"\u200b".repeat(195)}`)).toBeUndefined();
    // NFKC makes 18 characters of each, which together are more than a string can have.
    expect(parsePairingCode(`K7MQ2X${"\ufdfa".repeat(40_000_000)}`)).toBeUndefined();
  });

  test("[P3] stays the same code in any width, whatever stands around its symbols", () => {
    const unit = fc.constantFrom(...Array.from("-_. \"'“·‐\u200b\u00a0ーЖß"));
    fc.assert(
      fc.property(codes, fc.string({ unit, maxLength: 8 }), fc.nat(6), (code, extra, at) => {
        const wide = code.replaceAll(/./g, (symbol) =>
          String.fromCodePoint(0xfee0 + (symbol.codePointAt(0) ?? 0)),
        );
        for (const text of [code, wide]) {
          expect(parsePairingCode(`${text.slice(0, at)}${extra}${text.slice(at)}`)).toBe(code);
        }
      }),
    );
  });

  test("[P3] parses its formatted text in any letter case", () => {
    fc.assert(
      fc.property(codes, (code) => {
        expect(parsePairingCode(formatPairingCode(code))).toBe(code);
        expect(parsePairingCode(formatPairingCode(code).toLowerCase())).toBe(code);
      }),
    );
  });
});

test("[P6] a try finds one of the codes that are valid among all codes that there can be", () => {
  expect(PAIRING_CODES).toBe(887_503_681);
  const unseenTriesPerHour = PAIRING_CODES / (365 * 24);
  expect(luckyGuessesAYear({ liveCodes: 1, unseenTriesPerHour })).toBeCloseTo(1, 12);
  expect(luckyGuessesAYear({ liveCodes: 1000, unseenTriesPerHour: 600 })).toBeCloseTo(5.92, 2);
  expect(luckyGuessesAYear({ liveCodes: 1000, unseenTriesPerHour: 0 })).toBe(0);
});

test("[P6] doctor says what the settings in force allow", () => {
  const relay = { pairingTriesOfAll: 600, pairingConsent: "when-attacked" };
  expect(checkGuesses(relay)).toEqual({
    check: "pairing-guesses",
    state: "ok",
    sentence:
      "Anyone who guesses pairing codes all year, at full speed, finds 0.0059 while one code is valid at a time, and 5.9 while 1,000 are.",
  });
  expect(checkGuesses({ ...relay, pairingTriesOfAll: 1_000_000 })).toMatchObject({
    state: "note",
    advice: expect.stringContaining("SOUNDFERRY_PAIRING_TRIES_OF_ALL"),
  });
  expect(checkGuesses({ ...relay, pairingConsent: "always" }).sentence).toContain("finds nothing");
});
