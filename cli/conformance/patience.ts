import { Inconclusive } from "./assertion-failure.ts";

/** An answer must have ended by then: a claim may wait 25 s for a yes, and a status 30 s for a change. */
const ANSWER_MS = 60_000;
/** After so many answers that didn't end in time the relay counts as gone. */
const MOST_LATE_ANSWERS = 4;
/** An answer is slow after this part of its time, unless it was asked to wait. */
const PROMPT_PART = 1 / 12;
/** The most time that a run loses to slow answers, as a multiple of an answer's. */
const MOST_SLOW_ANSWERS = 4;

/** The patience of a run: each answer has its time, and a relay that is slow again and again is called no more. */
export class Patience {
  /** Time in which an answer must have ended, in milliseconds. */
  readonly answerMs: number;
  #late = 0;
  #slowMs = 0;
  #end: string | undefined;

  constructor(answerMs = ANSWER_MS) {
    this.answerMs = answerMs;
  }

  /** Counts an answer that didn't end in time. */
  noteLate(): void {
    this.#late += 1;
    if (this.#late >= MOST_LATE_ANSWERS) this.end("The relay no longer answers in time.");
  }

  /** Counts the time of an answer that wasn't asked to wait, in milliseconds. */
  noteTime(ms: number): void {
    this.#slowMs += Math.max(0, ms - this.answerMs * PROMPT_PART);
    if (this.#slowMs > this.answerMs * MOST_SLOW_ANSWERS) this.end("The relay is too slow.");
  }

  /** Allows no more calls. @param reason a sentence */
  end(reason: string): void {
    this.#end ??= reason;
  }

  /** @throws {Inconclusive} if the relay isn't called any more */
  require(): void {
    if (this.#end !== undefined) throw new Inconclusive(this.#end);
  }
}
