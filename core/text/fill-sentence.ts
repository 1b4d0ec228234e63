/** The placeholder names of a sentence: `"{a} is not {b}"` has `a` and `b`. */
export type Placeholder<Sentence extends string> =
  Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;

/** Replaces each `{name}` with its param, once: unknown names stay, and braces in params aren't filled. */
export function fillSentence(sentence: string, params: ReadonlyMap<string, string>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => params.get(name) ?? whole);
}
