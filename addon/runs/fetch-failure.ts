import { sentenceOf } from "../../core/text/sentence-of.ts";
import { isOwnRefusal } from "../relay/relay-errors.ts";
import { retryAfterOfError, statusOfError } from "../relay/relay-port.ts";

/** A source failed to deliver a whole sound; `cause` says why. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  /** The HTTP status of the answer; undefined for a connection error. */
  readonly status: number | undefined;
  /** 0 where the answer had none. */
  readonly retryAfterSeconds: number;
  /** The code with which the relay itself refused the sound for good; undefined for trouble on the way. */
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
