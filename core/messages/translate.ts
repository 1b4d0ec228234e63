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

const NUMBER_FORMAT: Intl.NumberFormatOptions = {
  maximumFractionDigits: 6,
  // Four digits are read at a glance: 1000 BPM.
  useGrouping: "min2",
};

/**
 * Returns the texts of a table, filled in for its language.
 * @param language a BCP 47 tag: it decides plural forms and how numbers are written
 */
export function translateWith(language: string, messages: Messages): Translate {
  // Made for the first text that needs them: they map 9 MB of the system's data about languages.
  let plurals: Intl.PluralRules | undefined;
  let numbers: Intl.NumberFormat | undefined;
  const isSingular = (count: number) =>
    (plurals ??= new Intl.PluralRules(language)).select(count) === "one";
  const formatNumber = (value: number) =>
    (numbers ??= new Intl.NumberFormat(language, NUMBER_FORMAT)).format(value);
  return (key, ...[given]) => {
    const params = Object.entries<string | number>(given ?? {});
    const { count } = (given ?? {}) as { readonly count?: string | number };
    // A page can lack texts that it shows only after a bug.
    const texts = messages[key] ?? ENGLISH[key];
    const isOne = () => isSingular(Number(count ?? 0));
    const text =
      typeof texts === "string" ? texts : (texts[isOne() ? "one" : "other"] ?? texts.other);
    const written = params.map(([name, value]): [string, string] => [
      name,
      typeof value === "number" ? formatNumber(value) : value,
    ]);
    return fillSentence(text, new Map(written));
  };
}

/** English, for the command line and as the pages' default. */
export const inEnglish: Translate = translateWith("en", ENGLISH);
