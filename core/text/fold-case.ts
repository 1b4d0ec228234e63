/** Folds a text for a search that ignores case and compatibility forms, such as full-width letters. */
export function foldCase(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC");
}
