import { setTimeout as sleep } from "node:timers/promises";
import type { CalledRelay } from "../../crash/sender.ts";
import { type Answer, type CallOptions, fetchAnswer } from "../../relay/crash/fetch-answer.ts";
import { randomFrom } from "../../relay/crash/random.ts";
import { RANDOM_SEED } from "../../random-seed.ts";
import { Lost } from "../../relay/crash/killable-relay.ts";

/** Longer than any part is away in these tests. */
const PATIENCE_MS = 120_000;

/** A call that was answered as none should be. */
export class WrongRefusal extends Error {
  override readonly name = "WrongRefusal";
}

/** The relays behind their proxy, called as a patient app calls: what gets 503 with Retry-After is repeated. */
export class ClusterRelay implements CalledRelay {
  readonly url: string;
  readonly #random = randomFrom(RANDOM_SEED);
  #successes: number[] = [];
  #refused = 0;
  #cut = 0;
  wasClockWrong = false;

  constructor(url: string) {
    this.url = url;
  }

  /** Calls that got 503 with Retry-After so far, and calls whose connection ended without an answer. */
  get refused(): number {
    return this.#refused;
  }

  get cut(): number {
    return this.#cut;
  }

  /** When calls that change something were begun that succeeded, by `performance.now()`. */
  get successes(): readonly number[] {
    return this.#successes;
  }

  /** Resolves once a call succeeded that was begun from now on. */
  async nextSuccess(): Promise<number> {
    const from = performance.now();
    for (;;) {
      const first = this.#successes.find((begun) => begun >= from);
      if (first !== undefined) return performance.now() - from;
      if (performance.now() - from > PATIENCE_MS) throw new Error("No call succeeds.");
      await sleep(20);
    }
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const end = performance.now() + PATIENCE_MS;
    for (let tries = 1; ; tries += 1) {
      const begun = performance.now();
      const answer = await this.#callOnce(method, path, options);
      if (answer.status < 300 && method !== "GET") this.#successes.push(begun);
      // What an earlier try has done is not known, so this answer may be about that.
      if (answer.status < 500 && answer.status >= 400 && tries > 1) {
        throw new Lost(`${method} ${path}: ${answer.status}`);
      }
      if (answer.status < 500) return answer;
      const { retryAfter } = answer;
      const isPromised = answer.status === 503 && retryAfter !== undefined;
      // The proxy says 502 or 504 for a relay that was killed while it worked.
      if (!isPromised && ![502, 504].includes(answer.status)) {
        throw new WrongRefusal(`${method} ${path}: ${answer.status} ${String(answer.body)}`);
      }
      this.#refused += 1;
      if (performance.now() > end) throw new Error(`${method} ${path}: 503 for too long.`);
      await sleep(200 + this.#random() * 200);
    }
  }

  async #callOnce(method: string, path: string, options: CallOptions): Promise<Answer> {
    const begun = performance.now();
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      return await fetchAnswer(this.url + path, { method, ...options, signal });
    } catch (error) {
      this.#cut += 1;
      const ms = Math.round(performance.now() - begun);
      throw new Lost(`${method} ${path} after ${ms} ms`, { cause: error });
    }
  }
}
