import * as fc from "fast-check";
import { ENGLISH, type MessageKey } from "../../../core/messages/en/english.ts";
import { chooseLanguage, LANGUAGES } from "../../../core/messages/languages.ts";
import { paramsIn, translateRefusal } from "../../../core/messages/translate-refusal.ts";
import { inEnglish, translateWith } from "../../../core/messages/translate.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { OWN_REFUSALS, REFUSALS } from "../../../core/protocol/refusals.ts";
import { MAX_ERROR_UNITS } from "../../../core/limits.ts";
import { expect, test, describe } from "vitest";
import type { Message } from "../../../core/messages/message.ts";
import { TABLES } from "../../../core/messages/tables.ts";

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

test("[G14] a text that a page's table lacks is shown in English", () => {
  const { "refusal.NOT_JSON": _left, ...others } = TABLES.de;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page's build leaves texts out in the same way
  const t = translateWith("de", others as typeof TABLES.de);
  expect(translateRefusal(t, "NOT_JSON", "The body is not valid JSON.")).toBe(
    REFUSALS.NOT_JSON.sentence,
  );
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

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
const KEYS = Object.keys(ENGLISH) as readonly MessageKey[];
const OTHERS = LANGUAGES.filter((language) => language !== "en");

function formsOf(message: Message): readonly string[] {
  return typeof message === "string" ? [message] : Object.values(message);
}

function placeholdersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))].toSorted();
}

/** All placeholders of a message. A form for one may leave its count out. */
function placeholdersOf(message: Message): readonly string[] {
  return placeholdersIn(formsOf(message).join(" "));
}

describe.each(OTHERS)("[N20][G15] the texts in %s", (language) => {
  const table = TABLES[language];

  test("are all there, and none is empty or too many", () => {
    expect(Object.keys(table).toSorted()).toEqual(KEYS.toSorted());
    const empty = KEYS.filter((key) => formsOf(table[key]).some((text) => text.trim() === ""));
    expect(empty).toEqual([]);
  });

  test("have the placeholders of the English ones, in each form that needs them", () => {
    for (const key of KEYS) {
      const asked = placeholdersOf(ENGLISH[key]);
      expect(placeholdersOf(table[key]), key).toEqual(asked);
      const [other = ""] = formsOf(table[key]).slice(-1);
      expect(placeholdersIn(other), key).toEqual(asked);
    }
  });

  test("have a plural where English has one, in the forms of their language", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    if (!forms.includes("one")) return;
    const missing = KEYS.filter((key) => typeof ENGLISH[key] !== "string").filter(
      (key) => typeof table[key] === "string",
    );
    expect(missing).toEqual([]);
  });

  test("are translated: only names, units and words of the trade are the same as in English", () => {
    const same = KEYS.filter(
      (key) => JSON.stringify(table[key]) === JSON.stringify(ENGLISH[key]),
    ).filter((key) => /[a-z]{2} [a-z]{2}/i.test(formsOf(ENGLISH[key]).join(" ")));
    expect(same).toEqual([]);
    const known = KEYS.filter((key) => !key.startsWith("refusal."));
    const shared = known.filter(
      (key) => JSON.stringify(table[key]) === JSON.stringify(ENGLISH[key]),
    );
    expect(shared.length).toBeLessThan(known.length / 8);
  });

  test("say a refusal of the relay with its params, and an unknown one in the relay's own words", () => {
    const t = translateWith(language, table);
    for (const [code, { sentence }] of Object.entries(REFUSALS)) {
      const filled = sentence.replaceAll(/\{(\w+)\}/g, "<$1>");
      const said = translateRefusal(t, code, filled);
      expect(said, code).not.toBe(filled);
      for (const param of filled.match(/<\w+>/g) ?? []) expect(said, code).toContain(param);
    }
    for (const [code, sentence] of Object.entries(OWN_REFUSALS)) {
      expect(translateRefusal(t, code, sentence), code).toBe(
        table[`refusal.${code}.own` as "refusal.MANY_WAIT.own"],
      );
      expect(sentence.length).toBeLessThanOrEqual(MAX_ERROR_UNITS);
    }
    expect(translateRefusal(t, "FROM_THE_FUTURE", "The relay is asleep.")).toBe(
      "The relay is asleep.",
    );
    expect(translateRefusal(t, "DISK_FULL", "Another wording.")).toBe("Another wording.");
  });
});

test.each([
  ["fr", /\b(?:vous|votre|vos)\b|[a-zé]ez\b/i],
  ["es", /\b(?:usted|ustedes)\b/i],
  ["de", /\b(?:Ihnen|Ihre[nrms]?)\b/],
] as const)("texts in %s address people informally everywhere", (language, formal) => {
  const texts = Object.values(TABLES[language]).map((text) => JSON.stringify(text));
  expect(texts.filter((text) => formal.test(text))).toEqual([]);
});
