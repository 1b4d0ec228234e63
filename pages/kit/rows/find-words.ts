/** Returns the words of a search, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Checks whether some of the names contains a word from `wordsOf`; ignores case. */
export function hasWord(names: readonly string[], word: string): boolean {
  return names.some((name) => name.toLowerCase().includes(word));
}

/** Checks whether the names contain all words from `wordsOf`. */
export function hasWords(names: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => hasWord(names, word));
}
