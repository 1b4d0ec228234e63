import * as fc from "fast-check";
import { ENGLISH } from "../../../core/messages/en/english.ts";
import { chooseLanguage } from "../../../core/messages/languages.ts";
import { paramsIn, translateRefusal } from "../../../core/messages/translate-refusal.ts";
import { inEnglish, translateWith } from "../../../core/messages/translate.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { expect, test } from "vitest";

test("fills placeholders, and takes the plural form of the count", () => {
  expect(inEnglish("clips.count", { count: 1 })).toBe("1 sound");
  expect(inEnglish("clips.count", { count: 0 })).toBe("0 sounds");
  expect(inEnglish("clips.count", { count: 1000 })).toBe("1000 sounds");
  expect(inEnglish("clips.count", { count: 12_000 })).toBe("12,000 sounds");
  expect(inEnglish("clips.play", { name: "{count}" })).toBe("Play {count}");
});

test("each language has its own plural forms and numbers", () => {
  const french = translateWith("fr", {
    ...ENGLISH,
    "clips.count": { one: "{count} son", other: "{count} sons" },
  });
  expect(french("clips.count", { count: 0 })).toBe("0 son");
  expect(french("clips.count", { count: 1.5 })).toBe("1,5 son");
  expect(french("clips.count", { count: 2 })).toBe("2 sons");
  const japanese = translateWith("ja", { ...ENGLISH, "clips.count": { other: "{count}個" } });
  expect(japanese("clips.count", { count: 1 })).toBe("1個");
});

const inGerman = translateWith("de", {
  ...ENGLISH,
  "refusal.SIZE_DIFFERS": "{file}: {announced} Bytes erwartet, {got} erhalten.",
  "refusal.MANY_WAIT": "Viele Pakete warten.",
});

test("[G14] a refusal is translated by its code, with its params", () => {
  const { code, message } = refusal("SIZE_DIFFERS", { file: "a: b.wav", got: 12, announced: 34 });
  expect(translateRefusal(inGerman, code, message)).toBe(
    "a: b.wav: 34 Bytes erwartet, 12 erhalten.",
  );
  expect(translateRefusal(inGerman, "MANY_WAIT", REFUSALS.MANY_WAIT.sentence)).toBe(
    "Viele Pakete warten.",
  );
});

test("[G14] an unknown code, or a sentence of another version, shows the relay's own sentence", () => {
  for (const [code, sentence] of [
    ["QUOTA_OF_MOON", "The moon is full."],
    ["MANY_WAIT", "Far too many packages wait."],
    ["constructor", "No."],
    [undefined, "A proxy says no."],
  ] as const) {
    expect(translateRefusal(inGerman, code, sentence)).toBe(sentence);
  }
});

test("[G14] every refusal in English is the relay's sentence, whatever its params are", () => {
  for (const [code, { sentence }] of Object.entries(REFUSALS)) {
    const filled = sentence.replaceAll(/\{\w+\}/g, "$& (x) {file} \\1 .*");
    expect(translateRefusal(inEnglish, code, filled)).toBe(filled);
  }
  fc.assert(
    fc.property(fc.string(), fc.string(), (file, codec) => {
      const { code, message } = refusal("WAV_COMPRESSED", { file, codec });
      expect(translateRefusal(inEnglish, code, message)).toBe(message);
    }),
  );
  expect(paramsIn("{a} and {a}", "x and y")).toBeUndefined();
  expect(paramsIn("{a} and {a}", "x and x")).toEqual({ a: "x" });
});

test.each([
  [["de-AT", "en"], "de"],
  [["fr_CA"], "fr"],
  [["pt-BR", "es-419", "de"], "es"],
  [["JA"], "ja"],
  [["zh-Hant-TW", "ko"], "en"],
  [["en-GB", "de"], "en"],
  [["dex", ""], "en"],
  [[], "en"],
])("of %j it takes %s", (preferred, language) => {
  expect(chooseLanguage(preferred)).toBe(language);
});
