import { MAX_ERROR_UNITS } from "../limits.ts";
import type { RefusalSubject } from "./refusal-subject.ts";
import { REFUSALS, type RefusalCode } from "./refusals.ts";
import { fillSentence, type Placeholder } from "../text/fill-sentence.ts";
import { onOneLine } from "../text/on-one-line.ts";
import { shorten } from "../text/shorten.ts";

/** Values for the placeholders of a refusal's sentence. */
export type RefusalWords<Code extends RefusalCode> = Readonly<
  Record<Placeholder<(typeof REFUSALS)[Code]["sentence"]>, string | number>
>;

/** Additions to the response besides `error` and `code`. */
export interface RefusalExtras {
  readonly about?: RefusalSubject;
  /** Everything that is wrong, this refusal first (rule E3). */
  readonly problems?: readonly Refusal[];
  /** Extra body members, such as `missing`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Seconds for `Retry-After`; at least 1. */
  readonly retryAfterSeconds?: number;
  /** What went wrong at the relay, for its log. Never sent. */
  readonly cause?: Error;
}

/** An error the sender can act on: a stable code and a sentence of at most `MAX_ERROR_UNITS`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly status: number;
  readonly extras: RefusalExtras;

  constructor(code: RefusalCode, sentence: string, extras: RefusalExtras = {}) {
    super(sentence, extras.cause && { cause: extras.cause });
    this.code = code;
    this.status = REFUSALS[code].status;
    this.extras = extras;
  }

  /** The same refusal with more that it answers. */
  with(more: RefusalExtras): Refusal {
    return new Refusal(this.code, this.message, { ...this.extras, ...more });
  }
}

/**
 * Builds a refusal from the table and fills in its params. Shortens params with `…`, longest first,
 * until the sentence fits (rule E1). Control, bidi and line break characters become spaces.
 */
export function refusal<Code extends RefusalCode>(
  code: Code,
  ...[params, extras]: Placeholder<(typeof REFUSALS)[Code]["sentence"]> extends never
    ? [params?: Record<string, never>, extras?: RefusalExtras]
    : [params: RefusalWords<Code>, extras?: RefusalExtras]
): Refusal {
  const { sentence } = REFUSALS[code];
  const filled = new Map(
    Object.entries(params ?? {}).map(([name, value]) => [name, onOneLine(String(value))]),
  );
  for (let over = overBy(sentence, filled); over > 0; over = overBy(sentence, filled)) {
    const longest = [...filled].reduce((a, b) => (b[1].length > a[1].length ? b : a));
    filled.set(longest[0], shorten(longest[1], Math.max(1, longest[1].length - over)));
    if (longest[1].length <= 1) break;
  }
  return new Refusal(code, fillSentence(sentence, filled), extras);
}

function overBy(sentence: string, params: ReadonlyMap<string, string>): number {
  return fillSentence(sentence, params).length - MAX_ERROR_UNITS;
}
