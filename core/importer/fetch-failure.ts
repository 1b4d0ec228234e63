import { sentenceOf } from "../text/sentence-of.ts";
import { isOwnRefusal, retryAfterOfError, statusOfError } from "./relay-errors.ts";

/** The error when a source didn't deliver a whole sound; `cause` says why. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  /** The HTTP status of the answer; undefined for a connection error. */
  readonly status: number | undefined;
  /** Seconds of the answer's Retry-After; 0 where it had none. */
  readonly retryAfterSeconds: number;
  /** The code with which the relay itself refused the sound for good; undefined for any other trouble. */
  readonly refusedWith: string | undefined;

  constructor(sentence: string, options: ErrorOptions = {}) {
    super(sentence, options);
    const { cause } = options;
    this.status = statusOfError(cause);
    this.retryAfterSeconds = retryAfterOfError(cause) ?? 0;
    this.refusedWith = isOwnRefusal(cause) ? cause.code : undefined;
  }

  static of(cause: unknown): FetchFailure {
    return new FetchFailure(sentenceOf(cause), { cause });
  }
}
