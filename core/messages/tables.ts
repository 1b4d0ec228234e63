import { GERMAN } from "./de/german.ts";
import { ENGLISH, type Messages } from "./en/english.ts";
import { SPANISH } from "./es/spanish.ts";
import { FRENCH } from "./fr/french.ts";
import { JAPANESE } from "./ja/japanese.ts";
import type { Language } from "./languages.ts";

/** The texts of each language. */
export const TABLES: Readonly<Record<Language, Messages>> = {
  en: ENGLISH,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  ja: JAPANESE,
};
