import { ENGLISH, type Messages } from "../../core/messages/en/english.ts";
import type { Language } from "../../core/messages/languages.ts";

/** Only English comes with the element. */
const LOAD: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => ENGLISH,
  de: async () => (await import("../../core/messages/de/german.ts")).GERMAN,
  es: async () => (await import("../../core/messages/es/spanish.ts")).SPANISH,
  fr: async () => (await import("../../core/messages/fr/french.ts")).FRENCH,
  ja: async () => (await import("../../core/messages/ja/japanese.ts")).JAPANESE,
};

/** The texts of a language; English ones if they can't be loaded. */
export async function loadLanguage(language: Language): Promise<Messages> {
  return LOAD[language]().catch(() => ENGLISH);
}
