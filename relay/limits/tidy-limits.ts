import type { Counted, LimitStatements } from "./limit-statements.ts";

const TICK_MS = 1000;
/** So many windows go back with one statement. */
const BATCH = 500;
/** Windows deleted with one statement, and statements in a row. */
const DELETE_BATCH = 1000;
const MAX_DELETES = 10;
/** Each process deletes what is over about once in as many ticks. */
const DELETE_EVERY = 60;

/**
 * Gives back what nobody uses, and deletes windows that are over, in small batches and one after the other. If the
 * database is away, what should have gone back counts until it leaves its window, and deleting waits for the next time.
 */
export class TidyLimits implements AsyncDisposable {
  readonly #statements: LimitStatements;
  readonly #takeIdle: (isAll: boolean) => readonly Counted[];
  readonly #timer: NodeJS.Timeout;
  #last = Promise.resolve();
  #isTicking = false;

  /** @param takeIdle takes out what must go back; asked each second, and for all of it at the end */
  constructor(statements: LimitStatements, takeIdle: (isAll: boolean) => readonly Counted[]) {
    this.#statements = statements;
    this.#takeIdle = takeIdle;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  giveBack(spare: readonly Counted[]): void {
    if (spare.length > 0) this.#add(() => this.#return(spare));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.giveBack(this.#takeIdle(true));
    await this.#last;
  }

  #tick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.giveBack(this.#takeIdle(false));
    // By chance, so that not all processes do it at once.
    if (Math.random() * DELETE_EVERY < 1) this.#add(() => this.#deleteOld());
    this.#add(async () => void (this.#isTicking = false));
  }

  #add(act: () => Promise<void>): void {
    this.#last = this.#last.then(act).catch(() => undefined);
  }

  async #return(spare: readonly Counted[]): Promise<void> {
    for (let at = 0; at < spare.length; at += BATCH) {
      await this.#statements.giveBack(spare.slice(at, at + BATCH));
    }
  }

  async #deleteOld(): Promise<void> {
    for (let batch = 0; batch < MAX_DELETES; batch += 1) {
      if ((await this.#statements.deleteOld(DELETE_BATCH)) < DELETE_BATCH) return;
    }
  }
}
