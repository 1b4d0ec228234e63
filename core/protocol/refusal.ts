import { MAX_ERROR_UNITS } from "../limits.ts";
import { REFUSALS, type RefusalCode } from "./refusals.ts";
import { fillSentence, type Placeholder } from "../text/fill-sentence.ts";
import { onOneLine } from "../text/on-one-line.ts";
import { shorten } from "../text/shorten.ts";

/** What a refusal's sentence wants filled in, by name. */
export type RefusalWords<Code extends RefusalCode> = Readonly<
  Record<Placeholder<(typeof REFUSALS)[Code]["sentence"]>, string | number>
>;

/** What goes beside `error` and `code`, in the answer's body and headers. */
export interface RefusalExtras {
  /** More members of the body, such as `missing`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Seconds for `Retry-After`; at least 1. */
  readonly retryAfterSeconds?: number;
}

/** An error that the sender can act on: a stable code and a sentence of at most `MAX_ERROR_UNITS`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly status: number;
  readonly extras: RefusalExtras;

  constructor(code: RefusalCode, sentence: string, extras: RefusalExtras = {}) {
    super(sentence);
    this.code = code;
    this.status = REFUSALS[code].status;
    this.extras = extras;
  }
}

/**
 * Makes a refusal of the table, its words filled in. Words too long for the sentence are shortened
 * with `…`, longest first, so that the problem stays readable (rule E1); what could turn or break the
 * line it stands in becomes a space.
 */
export function refusal<Code extends RefusalCode>(
  code: Code,
  ...[words, extras]: Placeholder<(typeof REFUSALS)[Code]["sentence"]> extends never
    ? [words?: Record<string, never>, extras?: RefusalExtras]
    : [words: RefusalWords<Code>, extras?: RefusalExtras]
): Refusal {
  const { sentence } = REFUSALS[code];
  const filled = new Map(
    Object.entries(words ?? {}).map(([name, word]) => [name, onOneLine(String(word))]),
  );
  for (let over = overBy(sentence, filled); over > 0; over = overBy(sentence, filled)) {
    const longest = [...filled].reduce((a, b) => (b[1].length > a[1].length ? b : a));
    filled.set(longest[0], shorten(longest[1], Math.max(1, longest[1].length - over)));
    if (longest[1].length <= 1) break;
  }
  return new Refusal(code, fillSentence(sentence, filled), extras);
}

function overBy(sentence: string, words: ReadonlyMap<string, string>): number {
  return fillSentence(sentence, words).length - MAX_ERROR_UNITS;
}
