import type { Messages } from "../../core/messages/en/english.ts";
import { inEnglish, type Translate, translateWith } from "../../core/messages/translate.ts";

let translate: Translate = inEnglish;
let language = "en";
let numbers = numbersOf(language);

/** Sets the language of `t` and `formatNumber`; pages call `choosePageLanguage`. */
export function translateInto(tag: string, messages: Messages): void {
  language = tag;
  translate = translateWith(tag, messages);
  numbers = numbersOf(tag);
}

/** Returns a text in the page's language. */
export const t: Translate = (key, ...params) => translate(key, ...params);

/** Formats a number in the page's language, with two decimals at most. */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** Returns the page's language as a BCP 47 tag for dates; English dates name the day first. */
export function dateLanguage(): string {
  return language === "en" ? "en-GB" : language;
}

function numbersOf(tag: string): Intl.NumberFormat {
  return new Intl.NumberFormat(tag, { maximumFractionDigits: 2 });
}
