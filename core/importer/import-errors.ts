import type { RunErrorCode } from "../protocol/panel-api.ts";
import { runSentence } from "../protocol/run-sentences.ts";
import { sentenceOf } from "../text/sentence-of.ts";

/**
 * The error when the relay sent nothing new for as long as a lease lasts. Downloaded bytes stay, nothing was placed,
 * and the next import continues from there.
 */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
  readonly code = "CONNECTION_LOST";

  /** @param cause the last problem */
  constructor(cause: unknown) {
    const problem = sentenceOf(cause);
    const last = cause === undefined ? "" : ` ${runSentence("LAST_PROBLEM", { problem })}`;
    super(runSentence("CONNECTION_LOST") + last, { cause });
  }
}

/** The error when an import was canceled. Downloaded files stay; the host holds nothing of the package. */
export class ImportCancelledError extends Error {
  override readonly name = "ImportCancelledError";
  readonly code = "CANCELLED";

  constructor(options?: ErrorOptions) {
    super(runSentence("RUN_CANCELLED"), options);
  }
}

type RunRefusalCode = "SOUNDS_WRONG" | "IMPORT_RUNS" | "TRACKS_NOT_REUSED";

const STATUSES: Readonly<Record<RunRefusalCode, number>> = {
  SOUNDS_WRONG: 422,
  IMPORT_RUNS: 409,
  TRACKS_NOT_REUSED: 409,
};

/** The error when a request can't be fulfilled, or not now; nothing has happened. The message is a sentence. */
export class RunRefusal extends Error {
  override readonly name = "RunRefusal";
  readonly code: RunRefusalCode;
  /** The HTTP status for other processes. */
  readonly status: number;

  constructor(code: RunRefusalCode, sentence: string) {
    super(sentence);
    this.code = code;
    this.status = STATUSES[code];
  }
}

const RUN_ERROR_CODES: readonly RunErrorCode[] = [
  "ALREADY_PLACED",
  "RUN_ELSEWHERE",
  "CANCELLED",
  "CONNECTION_LOST",
];

/** Returns the code of a run's error, by which a person can resolve it; null without one. */
export function runErrorCode(error: unknown): RunErrorCode | null {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return RUN_ERROR_CODES.find((each) => each === code) ?? null;
}
