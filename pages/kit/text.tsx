import { type ComponentChild, type VNode, Fragment } from "preact";
import type { MessageKey } from "../../core/messages/en/english.ts";
import type { MessageParams } from "../../core/messages/translate.ts";
import { t } from "./page-language.ts";

interface TextProps<Key extends MessageKey> {
  readonly of: Key;
  /** Values for the placeholders, which may be elements, such as a name in a `<bdi>`. */
  readonly params: Readonly<Record<keyof MessageParams<Key>, ComponentChild>>;
}

/** A text in the page's language with elements in it. */
export function Text<Key extends MessageKey>({ of, params }: TextProps<Key>): VNode {
  const elements = new Map(Object.entries<ComponentChild>(params));
  // Placeholders are filled with themselves, and the elements then take their places.
  const itself = [...elements].map(([name, value]) => [
    name,
    name === "count" ? value : `{${name}}`,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the placeholders of `params`
  const text = (t as (key: Key, itself: object) => string)(of, Object.fromEntries(itself));
  return (
    <Fragment>
      {text
        .split(/\{(\w+)\}/)
        .map((piece, index) => (index % 2 === 0 ? piece : elements.get(piece)))}
    </Fragment>
  );
}

interface LiveRegionProps {
  readonly text: string;
  /** A new number for each message, so that repeated text is announced again. */
  readonly number?: number;
}

/** Announces changes to screen readers politely, after what is being read. */
export function LiveRegion({ text, number = 0 }: LiveRegionProps): VNode {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {/* Screen readers announce only new nodes. */}
      <span key={number}>{text}</span>
    </p>
  );
}
