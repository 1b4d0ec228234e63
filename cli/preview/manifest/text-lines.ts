import type { ManifestPlace } from "../../../core/protocol/preview-api.ts";
import { shorten } from "../../../core/text/shorten.ts";

/** UTF-16 units of the offending text, and of what stands before and after it on its line. */
const QUOTED_UNITS = 60;

/** Finds the line and column of offsets into a text. */
export class TextLines {
  readonly #text: string;
  /** Where each line starts. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  /** Both count from 1; columns count UTF-16 units. */
  at(offset: number): { readonly line: number; readonly column: number } {
    let [first, past] = [0, this.#starts.length];
    while (past - first > 1) {
      const middle = Math.floor((first + past) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) first = middle;
      else past = middle;
    }
    return { line: first + 1, column: offset - (this.#starts[first] ?? 0) + 1 };
  }

  /** A place with its text and what is around it on its line. */
  place(offset: number, length: number): ManifestPlace {
    const { line, column } = this.at(offset);
    const start = offset - column + 1;
    const end = (this.#starts[line] ?? this.#text.length + 1) - 1;
    const past = Math.min(end, offset + length);
    const before = this.#text.slice(start, offset).trimStart();
    return {
      line,
      column,
      before: before.length > QUOTED_UNITS ? `…${before.slice(1 - QUOTED_UNITS)}` : before,
      text: shorten(this.#text.slice(offset, past).trimEnd(), QUOTED_UNITS),
      after: shorten(this.#text.slice(past, end).trimEnd(), QUOTED_UNITS),
    };
  }
}
