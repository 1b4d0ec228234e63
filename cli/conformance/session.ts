import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "./answer.ts";
import { partOf, show } from "./assert.ts";
import { Inconclusive } from "./assertion-failure.ts";
import type { Contract } from "./contract.ts";
import type { RelayCall } from "./relay-calls.ts";
import { Secrets } from "./secrets.ts";
import { type CallOptions, Wire } from "./wire.ts";

/** The kit waits out shorter limits; a longer one makes the check inconclusive. */
const LONGEST_WAIT_SECONDS = 60;
/** The most time that a run waits out limits: a relay that refuses every call must not keep it for hours. */
const LIMIT_WAITS_SECONDS = 240;
const MAX_TRIES = 4;

export interface SessionOptions {
  /** The contract by which answers are judged. Default: the whole one. */
  readonly contract?: Contract | undefined;
  /** Waits; in tests it moves the relay's clock instead. */
  readonly wait: (ms: number) => Promise<void>;
  readonly watch: (answer: Answer) => void;
  /** Called before the kit waits out a limit. */
  readonly onWait: (seconds: number) => void;
  readonly signal: AbortSignal;
  /** Time in which an answer must have ended, in milliseconds. */
  readonly answerMs?: number | undefined;
}

/** The calls of one run, with what checks make together. */
export class Session {
  readonly wire: Wire;
  readonly wait: (ms: number) => Promise<void>;
  readonly contract: Contract;
  /** The tokens and codes of the run. */
  readonly secrets = new Secrets();
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
  readonly #onWait: (seconds: number) => void;
  readonly #shared = new Map<string, Promise<unknown>>();
  #waitedSeconds = 0;

  constructor(relayUrl: string, { wait, onWait, signal, ...options }: SessionOptions) {
    const watch = (answer: Answer) => {
      this.secrets.see(answer);
      options.watch(answer);
    };
    this.wire = new Wire(relayUrl, { ...options, watch });
    this.wait = wait;
    this.signal = signal;
    this.contract = options.contract ?? "whole";
    this.#onWait = onWait;
  }

  /**
   * Calls the relay and waits out its limits.
   * @throws {Inconclusive} when a limit lasts longer than a minute, or nothing answers
   */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      this.signal.throwIfAborted();
      const answer = await this.wire.call(method, path, options);
      if (answer.status !== 429) return answer;
      const seconds = Math.max(1, Number(answer.headers["retry-after"] ?? 1));
      const isTooLong =
        !(seconds <= LONGEST_WAIT_SECONDS) || this.#waitedSeconds + seconds > LIMIT_WAITS_SECONDS;
      if (isTooLong || tries === MAX_TRIES) {
        const error = show(partOf(answer.json, "error"));
        throw new Inconclusive(`${answer.asked}: a limit of the relay was reached: ${error}.`);
      }
      this.#waitedSeconds += seconds;
      this.#onWait(seconds);
      await this.wait(seconds * 1000);
    }
  }

  /** Sends one of the calls that trying a relay takes, as `call` does. */
  send({ method, path, ...options }: RelayCall, token?: string): Promise<Answer> {
    return this.call(method, path, { token, ...options });
  }

  /** Makes a thing once, for the first check that asks. */
  share<Thing>(name: string, make: () => Promise<Thing>): Promise<Thing> {
    const made = this.#shared.get(name) ?? make();
    this.#shared.set(name, made);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name is always used for the same kind of thing
    return made as Promise<Thing>;
  }

  /** Runs work of the same name one by one. */
  async inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#shared.get(`turn ${name}`) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#shared.set(`turn ${name}`, mine);
    return mine;
  }

  /** Lets real time pass, also in tests that move the relay's clock: for what a relay does with timers. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal });
  }
}

/** A text that the rest needs; another check tests whether the answer is right. */
export function textOf(answer: Answer, name: string): string {
  const text = partOf(answer.json, name);
  if (typeof text === "string" && text !== "") return text;
  const error = partOf(answer.json, "error");
  throw new Inconclusive(
    `${answer.asked} gave no ${name}: ${answer.status}${error === undefined ? "" : ` ${show(error)}`}.`,
  );
}
