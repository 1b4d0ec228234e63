import { basename } from "node:path";
import type { Plugin } from "esbuild";
import { OTHER_TEXTS } from "../../client/element/other-texts.ts";
import { ELEMENT_TEXTS } from "../../client/element/texts.ts";
import type { MessageKey } from "../../core/messages/en/english.ts";
import { LANGUAGES, type Language } from "../../core/messages/languages.ts";
import { TABLES } from "../../core/messages/tables.ts";

/** The names of the languages' tables, which their files have in lower case. */
export const TABLE_NAMES: Readonly<Record<Language, string>> = {
  en: "ENGLISH",
  de: "GERMAN",
  es: "SPANISH",
  fr: "FRENCH",
  ja: "JAPANESE",
};

/** The texts that the element shows. */
const SHOWN: ReadonlySet<MessageKey> = new Set([...Object.values(ELEMENT_TEXTS), ...OTHER_TEXTS]);

/** Whether the element shows a text. */
export function isOfElement(key: MessageKey): boolean {
  return SHOWN.has(key);
}

/** Whether `client/audio` has a text: it gives English reasons for a guess. */
export function isOfAudio(key: MessageKey, language: Language): boolean {
  return language === "en" && key.startsWith("guess.");
}

/** Whether any entry of the client has a text. */
export function isShown(key: MessageKey, language: Language): boolean {
  return isOfElement(key) || isOfAudio(key, language);
}

/**
 * Keeps only some texts of each language: a bundler can't know which keys a script uses.
 * @param isUsed whether a text is kept
 */
export function onlyMessages(isUsed: (key: MessageKey, language: Language) => boolean): Plugin {
  return {
    name: "only used messages",
    setup: (bundler) => {
      const files = Object.values(TABLE_NAMES).join("|").toLowerCase();
      const filter = new RegExp(`[\\\\/]messages[\\\\/]\\w+[\\\\/](?:${files})\\.ts$`);
      bundler.onLoad({ filter }, ({ path }) => {
        const name = basename(path, ".ts").toUpperCase();
        const language = LANGUAGES.find((one) => TABLE_NAMES[one] === name) ?? "en";
        const used = Object.entries(TABLES[language]).filter(([key]) =>
          // The entries of a table have its keys.
          isUsed(key as MessageKey, language),
        );
        return { contents: `export const ${name} = ${JSON.stringify(Object.fromEntries(used))};` };
      });
    },
  };
}
