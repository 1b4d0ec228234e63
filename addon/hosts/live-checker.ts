import type { LiveCheckAsk, LiveReport } from "../../core/protocol/live-report.ts";

/** What a running check of Live tells and asks. */
export interface CheckTalk {
  /** Resolves with what the person counted, `true` once they did it, and null if they skip it. */
  readonly ask: (question: LiveCheckAsk) => Promise<number | true | null>;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Checks a running Live in a Set without clips, and removes everything again.
 * @throws {Error} with a sentence
 * @throws {unknown} the signal's reason
 */
export type LiveChecker = (talk: CheckTalk) => Promise<LiveReport>;
