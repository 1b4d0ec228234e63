/** Folds a text for a search that ignores case and compatibility forms, such as full-width letters. */
export function foldCase(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC");
}

/** Removes accents and compatibility forms: `Bläser` is `Blaser`; of kana, the voicing marks go, too. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
}
