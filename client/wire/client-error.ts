import type { ClientErrorCode } from "./error-codes.ts";
import type { SoundProblem } from "../send/sound-problem.ts";

/** What is known about a failed call, beside its message. */
export interface ClientErrorFacts extends Partial<Omit<SoundProblem, "error" | "code">> {
  readonly status?: number | undefined;
  readonly code?: ClientErrorCode | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly missing?: readonly string[] | undefined;
  readonly packageId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly problems?: readonly SoundProblem[] | undefined;
  readonly cause?: unknown;
}

/** A failed call to a relay. Its message is a sentence to show to the user. */
export class ClientError extends Error {
  override readonly name: string = "ClientError";
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** Stable, UPPER_SNAKE, meant for a switch; undefined when there was no answer, or one without a code. */
  readonly code: ClientErrorCode | undefined;
  /** From `Retry-After`; whole seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** When it makes sense to try again, by this computer's clock; from `Retry-After`. */
  readonly retryAt: Date | undefined;
  /** With a commit's 409: every file that is still missing. */
  readonly missing: readonly string[];
  /** The package that `send` was sending, once it was announced. */
  readonly packageId: string | undefined;
  /** `X-Request-Id` of the answer; the relay's log has it too. */
  readonly requestId: string | undefined;
  /** The id of the sound at fault. */
  readonly sound: string | undefined;
  /** Its name on the relay. */
  readonly file: string | undefined;
  /** The manifest's field that is wrong. */
  readonly field: string | undefined;
  /** The sound's place in the draft, counted from 1. */
  readonly position: number | undefined;
  /** Every fault that was found, the first one first. */
  readonly problems: readonly SoundProblem[];
  readonly #facts: ClientErrorFacts;

  constructor(sentence: string, facts: ClientErrorFacts = {}) {
    super(sentence, { cause: facts.cause });
    this.#facts = facts;
    const { retryAfterSeconds: seconds } = facts;
    this.status = facts.status;
    this.code = facts.code;
    this.retryAfterSeconds = seconds;
    this.retryAt = seconds === undefined ? undefined : new Date(Date.now() + seconds * 1000);
    this.missing = facts.missing ?? [];
    this.packageId = facts.packageId;
    this.requestId = facts.requestId;
    this.sound = facts.sound;
    this.file = facts.file;
    this.field = facts.field;
    this.position = facts.position;
    this.problems = facts.problems ?? [];
  }

  /** The same error with another sentence and more facts. */
  with(sentence: string, facts: ClientErrorFacts): ClientError {
    return new ClientError(sentence, { ...this.#facts, ...facts });
  }
}

/**
 * The error for a sound whose bytes can't be read.
 * @param label names the sound in the sentence
 */
export function unreadableSound(cause: unknown, label = "A sound"): ClientError {
  const sentence = `${label} can't be read any more; its file was changed or removed.`;
  return new ClientError(sentence, { code: "SOUND_UNREADABLE", cause });
}
