import { chooseLanguage } from "../../core/messages/languages.ts";
import { TABLES } from "../../core/messages/tables.ts";
import { translateInto } from "./page-language.ts";

/**
 * Sets the page's language, once, before it renders: the host's, otherwise the first of the browser's languages that
 * has texts (rules N20 and G15).
 * @param ofHost a BCP 47 tag, such as Live's `environment.language`
 */
export function choosePageLanguage(ofHost?: string): void {
  const preferred = ofHost === undefined ? navigator.languages : [ofHost, ...navigator.languages];
  const language = chooseLanguage(preferred);
  translateInto(language, TABLES[language]);
  document.documentElement.lang = language;
}
