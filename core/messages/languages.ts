/**
 * The languages of the panel and the sending page, as BCP 47 tags. English is the one that all texts are written in.
 */
export const LANGUAGES = ["en", "de", "es", "fr", "ja"] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * Returns the first preferred language that there are texts in, or else English.
 * @param preferred BCP 47 tags, best first, such as `navigator.languages`; regions and scripts don't matter
 */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const [primary = ""] = tag.toLowerCase().split(/[-_]/);
    const known = LANGUAGES.find((language) => language === primary);
    if (known !== undefined) return known;
  }
  return "en";
}
