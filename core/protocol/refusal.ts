import { MAX_ERROR_UNITS, MAX_PROBLEMS } from "../limits.ts";
import type { Sound } from "../manifest/manifest.ts";
import { fillSentence, type Placeholder } from "../text/sentence-of.ts";
import { onOneLine, shorten } from "../text/shorten.ts";
import type { ErrorAnswer, Problem } from "./public-api.ts";
import { type RefusalCode, REFUSALS } from "./refusals.ts";

/** The subject of a refusal, as far as it is known (rule E3). */
export type RefusalSubject = Omit<Problem, "error" | "code">;

/** Values for the placeholders of a refusal's sentence. */
export type RefusalParams<Code extends RefusalCode> = Readonly<
  Record<Placeholder<(typeof REFUSALS)[Code]["sentence"]>, string | number>
>;

/** Additions to the response besides `error` and `code`. */
export interface RefusalExtras {
  readonly about?: RefusalSubject;
  /** Everything that is wrong, this refusal first (rule E3). */
  readonly problems?: readonly Refusal[];
  /** Extra body members, such as `missing`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Extra headers, such as `upload-offset`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds for `Retry-After`; at least 1. */
  readonly retryAfterSeconds?: number;
  /** The error at the relay, for its log. Never sent. */
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

  /** Returns the same refusal with more in its answer. */
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
    : [params: RefusalParams<Code>, extras?: RefusalExtras]
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

/**
 * Returns the first of several refusals, with all of them as its `problems` (rule E3): at most `MAX_PROBLEMS`; on
 * overflow the last one counts the omitted ones.
 */
export function refuseAll(refusals: readonly [Refusal, ...Refusal[]]): Refusal {
  return refusals[0].with({ problems: bounded(refusals) });
}

function bounded(refusals: readonly Refusal[]): readonly Refusal[] {
  if (refusals.length <= MAX_PROBLEMS) return refusals;
  const shown = refusals.slice(0, MAX_PROBLEMS - 1);
  return [...shown, refusal("MORE_PROBLEMS", { count: refusals.length - shown.length })];
}

/** Builds the body that answers a refused call (rules E1, E3). */
export function errorAnswer(refused: Refusal): ErrorAnswer {
  const { problems, body } = refused.extras;
  return {
    ...problemOf(refused),
    ...(problems !== undefined && { problems: problems.map(problemOf) }),
    ...body,
  };
}

function problemOf({ message, code, extras }: Refusal): Problem {
  return { error: message, code, ...extras.about };
}

/** The announced property that the bytes of a file contradict. */
const CONTRADICTED_FIELDS: Partial<Record<RefusalCode, string>> = {
  SIZE_DIFFERS: "bytes",
  CHECKSUM_DIFFERS: "sha256",
};

/** Adds the sound that a file belongs to, if the refusal is about the file (rule E3). */
export function nameSound(refused: Refusal, items: readonly Sound[], file: string): Refusal {
  const index = items.findIndex((item) => item.file === file);
  const sound = items[index]?.id;
  if (sound === undefined || !isAboutFile(refused)) return refused;
  const field = CONTRADICTED_FIELDS[refused.code];
  const about = { sound, file, ...(field !== undefined && { field }), position: index + 1 };
  return refused.with({ about });
}

/** Builds the refusal of a file that the package doesn't have. */
export function fileUnknown(file: string): Refusal {
  return refusal("FILE_UNKNOWN", { file }, { about: { file } });
}

function isAboutFile({ code }: Refusal): boolean {
  return code === "FILE_IN_FORM" || /\{(?:file|sound)\}/.test(REFUSALS[code].sentence);
}
