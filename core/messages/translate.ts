import { fillSentence } from "../text/sentence-of.ts";
import { ENGLISH, type MessageKey, type Messages } from "./en/english.ts";
import type { SlotsOf } from "./message.ts";

type Slots<Key extends MessageKey> = SlotsOf<(typeof ENGLISH)[Key]>;

/** Values for a message's placeholders. Numbers are written as the language does, such as `126,5`. */
export type MessageParams<Key extends MessageKey> = Readonly<Record<Slots<Key>, string | number>>;

/** Returns a message's text in one language. */
export type Translate = <Key extends MessageKey>(
  key: Key,
  ...params: Slots<Key> extends never ? [] : [params: MessageParams<Key>]
) => string;

/**
 * Returns the texts of a table, filled in for its language.
 * @param language a BCP 47 tag: it decides plural forms and how numbers are written
 */
export function translateWith(language: string, messages: Messages): Translate {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language, {
    maximumFractionDigits: 6,
    // Four digits are read at a glance: 1000 BPM.
    useGrouping: "min2",
  });
  return (key, ...[given]) => {
    const params = Object.entries<string | number>(given ?? {});
    const { count } = (given ?? {}) as { readonly count?: string | number };
    // A page can lack texts that it shows only after a bug.
    const texts = messages[key] ?? ENGLISH[key];
    const isOne = () => plurals.select(Number(count ?? 0)) === "one";
    const text =
      typeof texts === "string" ? texts : (texts[isOne() ? "one" : "other"] ?? texts.other);
    const written = params.map(([name, value]): [string, string] => [
      name,
      typeof value === "number" ? numbers.format(value) : value,
    ]);
    return fillSentence(text, new Map(written));
  };
}

/** English, for the command line and as the pages' default. */
export const inEnglish: Translate = translateWith("en", ENGLISH);
