export type RunRefusalCode = "SOUNDS_WRONG" | "IMPORT_RUNS" | "TRACKS_NOT_REUSED";

const STATUSES: Readonly<Record<RunRefusalCode, number>> = {
  SOUNDS_WRONG: 422,
  IMPORT_RUNS: 409,
  TRACKS_NOT_REUSED: 409,
};

/** What was asked for can't be done, or not now; nothing has happened. The message is a sentence. */
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
