import type { Placeholder } from "../text/sentence-of.ts";

/** A text with `{placeholders}`, or one for each plural form, chosen by the param `count`. */
export type Message = string | PluralMessage;

/** Forms by CLDR plural category; a language gives those that it has. */
export interface PluralMessage {
  readonly one?: string;
  readonly other: string;
}

/** The names of a message's placeholders. */
export type SlotsOf<Text extends Message> = Text extends string
  ? Placeholder<Text>
  : Text extends {
        readonly one: infer One extends string;
        readonly other: infer Other extends string;
      }
    ? Placeholder<One> | Placeholder<Other>
    : never;

/** The same texts in another language. */
export type Translated<Texts> = { readonly [Key in keyof Texts]: Message };
