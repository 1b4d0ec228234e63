/** The names in braces of a sentence: `"{a} is not {b}"` has `a` and `b`. */
export type Placeholder<Sentence extends string> =
  Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;

/** Puts words in the place of `{name}`; a name without a word stays as it is, and words are not filled in again. */
export function fillSentence(sentence: string, words: ReadonlyMap<string, string>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => words.get(name) ?? whole);
}
