import type { RefusalCode } from "../../core/protocol/refusals.ts";

/** Codes of the client itself. */
export type OwnErrorCode =
  | AudioErrorCode
  /** The client has no token, or the relay refused it with a 401 without a code. */
  | "NOT_PAIRED"
  /** The relay's address is not http or https. */
  | "ADDRESS_WRONG"
  /** The connection was refused or lost, or the address can't be found. */
  | "NO_ANSWER"
  /** The whole answer didn't come in time. */
  | "TIMEOUT"
  /** There is no secure connection, such as with a certificate that isn't trusted. Only Node tells. */
  | "TLS_FAILED"
  /** The relay has a problem: a 5xx without a code. */
  | "RELAY_TROUBLE"
  /** Another refusal without a code. */
  | "REFUSED"
  /** The token or a key has characters that no header can have. */
  | "REQUEST_IMPOSSIBLE"
  /** A relay that knows only the public specification lists no packages. */
  | "LIST_UNSUPPORTED"
  /** A sound's file was changed or removed, or its source has no bytes. */
  | "SOUND_UNREADABLE"
  /** Sounds that no relay would accept; `problems` has every one. */
  | "SOUNDS_REFUSED"
  /** The computer has too little room for these sounds. */
  | "ROOM_TOO_SMALL"
  /** A page loaded over https can't call a relay over http. */
  | "MIXED_CONTENT"
  /** The browser doesn't let this page reach the local network, or this computer. */
  | "LOCAL_NETWORK_DENIED"
  /** The browser asks a person whether this page may. */
  | "LOCAL_NETWORK_ASKING"
  /** The relay answers, but not to calls of this page: a preflight fails. */
  | "CORS_BLOCKED"
  /** The address redirects to another one. */
  | "REDIRECTED"
  /** The address is not a relay's. */
  | "NOT_A_RELAY"
  /** Something on the way to the relay answered in its place. */
  | "FOREIGN_ANSWER"
  /** Something on the way to the relay refuses uploads. */
  | "UPLOAD_BLOCKED"
  /** The browser stores nothing for this page. */
  | "STORAGE_FORBIDDEN"
  /** The file of tokens or pairings isn't JSON. */
  | "TOKENS_DAMAGED"
  /** Another tab is sending this package. */
  | "SENT_ELSEWHERE"
  /** An unfinished package that is no longer stored. */
  | "UNFINISHED_GONE"
  /** `send` was stopped by its signal. */
  | "SEND_ABORTED";

/** Codes of `@soundferry/client/audio`, about a file that can't become a WAV. */
export type AudioErrorCode =
  | "SOUND_EMPTY"
  /** The file, or its WAV, is larger than a whole package may be. */
  | "SOUND_TOO_LARGE"
  /** A video without sound. */
  | "SOUND_MISSING"
  /** The file has more than two channels. */
  | "SOUND_CHANNELS"
  /** The browser can't decode the file. */
  | "SOUND_UNDECODABLE";

/** The `code` of a `ClientError`. A newer relay may send others, so a switch needs a default. */
export type ClientErrorCode = RefusalCode | OwnErrorCode;

/** One fault of a package or of one of its sounds. */
export interface SoundProblem {
  /** A sentence to show. */
  readonly error: string;
  readonly code: ClientErrorCode;
  /** The sound's id; undefined if no sound is at fault. */
  readonly sound?: string | undefined;
  /** The sound's name on the relay. */
  readonly file?: string | undefined;
  /** The manifest's field that is wrong. */
  readonly field?: string | undefined;
  /** The sound's place in the draft, counted from 1. */
  readonly position?: number | undefined;
}

/** Everything known about a failed call except its message. */
export interface ClientErrorFacts extends Partial<Omit<SoundProblem, "error" | "code">> {
  readonly status?: number | undefined;
  readonly foreignStatus?: number | undefined;
  readonly code: ClientErrorCode;
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
  /** HTTP status; undefined when the relay gave no answer. */
  declare readonly status: number | undefined;
  /** HTTP status of an answer that wasn't the relay's; 0 for a redirect in a browser. */
  declare readonly foreignStatus: number | undefined;
  /** Stable, UPPER_SNAKE, meant for a switch. */
  declare readonly code: ClientErrorCode;
  /** Whole seconds from `Retry-After`. */
  declare readonly retryAfterSeconds: number | undefined;
  /** Earliest useful time to try again, by this computer's clock; from `Retry-After`. */
  readonly retryAt: Date | undefined;
  /** Every file that is still missing, after a commit's 409. */
  readonly missing: readonly string[];
  /** Package that `send` was sending; undefined until it is announced. */
  declare readonly packageId: string | undefined;
  /** `X-Request-Id` of the answer; the relay's log has it too. */
  declare readonly requestId: string | undefined;
  /** Id of the sound at fault. */
  declare readonly sound: string | undefined;
  /** The sound's name on the relay. */
  declare readonly file: string | undefined;
  /** The manifest's field that is wrong. */
  declare readonly field: string | undefined;
  /** The sound's place in the draft, counted from 1. */
  declare readonly position: number | undefined;
  /** Every fault, in the order found. */
  readonly problems: readonly SoundProblem[];
  readonly #facts: ClientErrorFacts;

  constructor(sentence: string, facts: ClientErrorFacts) {
    super(sentence, { cause: facts.cause });
    this.#facts = facts;
    Object.assign(this, { status: undefined }, facts);
    const { retryAfterSeconds: seconds, missing = [], problems = [] } = facts;
    this.retryAt = seconds === undefined ? undefined : new Date(Date.now() + seconds * 1000);
    this.missing = missing;
    this.problems = problems;
  }

  /** Returns a copy with another sentence and more facts. */
  with(sentence: string, facts: Partial<ClientErrorFacts>): ClientError {
    return new ClientError(sentence, { ...this.#facts, ...facts });
  }
}

/**
 * Builds the error for a sound whose bytes can't be read.
 * @param label names the sound in the sentence
 */
export function unreadableSound(cause: unknown, label = "A sound"): ClientError {
  const sentence = `${label} can't be read any more; its file was changed or removed.`;
  return new ClientError(sentence, { code: "SOUND_UNREADABLE", cause });
}
