import { describe, expect, test } from "vitest";
import { ENGLISH, type MessageKey } from "../../../core/messages/en/english.ts";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import type { Message } from "../../../core/messages/message.ts";
import { TABLES } from "../../../core/messages/tables.ts";
import { translateRefusal } from "../../../core/messages/translate-refusal.ts";
import { translateWith } from "../../../core/messages/translate.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";

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
    expect(translateRefusal(t, "FROM_THE_FUTURE", "The relay is asleep.")).toBe(
      "The relay is asleep.",
    );
    expect(translateRefusal(t, "DISK_FULL", "Another wording.")).toBe("Another wording.");
  });
});
