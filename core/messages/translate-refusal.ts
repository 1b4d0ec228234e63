import { ENGLISH, type MessageKey } from "./en/english.ts";
import type { Translate } from "./translate.ts";

/** Fills a text whose placeholders are known only at run time. */
type TranslateLoosely = (key: MessageKey, params: Params) => string;

/** Values by the names of a text's placeholders. */
export type Params = Readonly<Record<string, string>>;

/**
 * Translates a relay's refusal into the page's language, with its params. Returns the relay's own sentence if the code
 * is unknown, or if the sentence is not the one that this version knows for it.
 * @param code the answer's code; undefined if it had none
 * @param sentence the answer's sentence, in English
 */
export function translateRefusal(t: Translate, code: string | undefined, sentence: string): string {
  for (const key of [`refusal.${code}`, `refusal.${code}.own`]) {
    const translated = isMessageKey(key) ? translateSentence(t, key, sentence) : undefined;
    if (translated !== undefined) return translated;
  }
  return sentence;
}

/**
 * Translates an English sentence of the table into the page's language; undefined if it is not that text, filled in.
 */
export function translateSentence(
  t: Translate,
  key: MessageKey,
  sentence: string,
): string | undefined {
  const text = ENGLISH[key];
  const params = typeof text === "string" ? paramsIn(text, sentence) : undefined;
  return params === undefined ? undefined : translateLoosely(t, key, params);
}

/** Fills in a text with the params that `paramsIn` found in its English form. */
export function translateLoosely(t: Translate, key: MessageKey, params: Params): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the params are those of the same text
  return (t as TranslateLoosely)(key, params);
}

function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(ENGLISH, key);
}

/**
 * Finds the params that fill a text's `{placeholders}` so that it becomes this sentence; undefined if none do.
 * If several fit, earlier params are as short as possible.
 */
export function paramsIn(text: string, sentence: string): Params | undefined {
  return matcherOf(text)(sentence);
}

/**
 * Returns `paramsIn` for one text that many sentences are compared with.
 * @param patterns regular expressions without groups of what placeholders can be; any text by default
 */
export function matcherOf(text: string, patterns: Params = {}) {
  const names: string[] = [];
  const pattern = text
    .split(/\{(\w+)\}/)
    .map((piece, index) => {
      if (index % 2 === 0) return piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      const known = names.indexOf(piece);
      if (known >= 0) return `\\${known + 1}`;
      names.push(piece);
      return `(${patterns[piece] ?? ".*?"})`;
    })
    .join("");
  const expression = new RegExp(`^${pattern}$`, "s");
  return (sentence: string): Params | undefined => {
    const found = expression.exec(sentence);
    if (found === null) return undefined;
    return Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ""]));
  };
}
