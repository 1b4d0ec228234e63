/** Returns the message of any thrown value. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Removes a trailing “Try again …”, for errors that are retried automatically. */
export function withoutTryAgain(sentence: string): string {
  return sentence.replace(/ Try again[^.]*\.$/, "");
}

/** An absolute path up to its last slash; a path never starts after a letter, dot or colon. */
const FOLDERS = /(?<![\w.:/\\])(?:[a-z]:|\\)?[\\/](?=[^\s\\/])[^'"“”()\n]*[\\/]/gi;

/**
 * Cuts absolute paths in a sentence to their last segment (rule N2): `Soundferry may not write
 * to /home/ana/Music/Kit.` becomes `Soundferry may not write to Kit.` URLs stay unchanged.
 */
export function withoutPaths(sentence: string): string {
  return sentence.replaceAll(FOLDERS, "");
}

/** The placeholder names of a sentence: `"{a} is not {b}"` has `a` and `b`. */
export type Placeholder<Sentence extends string> =
  Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;

/** Replaces each `{name}` with its param, once: unknown names stay, and braces in params aren't filled. */
export function fillSentence(sentence: string, params: ReadonlyMap<string, string>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => params.get(name) ?? whole);
}

/** The params of a sentence with placeholders; none for one without. */
type ParamsOf<Sentence extends string> =
  Placeholder<Sentence> extends never
    ? []
    : [params: Readonly<Record<Placeholder<Sentence>, string | number>>];

/** Returns a function that fills in the sentences of a table, by their codes. */
export function sentencesOf<const Table extends Readonly<Record<string, string>>>(table: Table) {
  return <Code extends keyof Table & string>(
    code: Code,
    ...[params]: ParamsOf<Table[Code]>
  ): string => {
    const filled = Object.entries<string | number>(params ?? {}).map(
      ([name, value]) => [name, String(value)] as const,
    );
    return fillSentence(table[code] ?? code, new Map(filled));
  };
}
