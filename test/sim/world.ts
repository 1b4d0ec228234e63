import { inspect, isDeepStrictEqual } from "node:util";
import { randomFrom } from "./random.ts";
import { Ledger } from "./ledger.ts";

/** The parts of a simulator's program: a relay, its acknowledgments, and the moments that a seed draws. */
export interface World<Relay extends CalledRelay = CrashedRelay> {
  readonly relay: Relay;
  readonly ledger: Ledger;
  readonly checks: Checks;
  /** At least 0 and less than 1. */
  readonly random: () => number;
}

/** A world around a relay. Default: nothing is acknowledged yet, and the seed is 1. */
export function worldOf<Relay extends CalledRelay>(
  relay: Relay,
  more: Partial<World<Relay>> = {},
): World<Relay> {
  return { relay, ledger: new Ledger(), checks: new Checks(), random: randomFrom(1), ...more };
}

/** A relay that is called, and may be killed meanwhile. */
export interface CalledRelay {
  /** @throws {Lost} if it isn't known whether the call took effect */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** True if the clock of its machine was ever wrong: a lease ends when it jumps ahead (rule Z6). */
  readonly wasClockWrong: boolean;
}

/** A relay that a program kills, or several that serve as one. */
export interface CrashedRelay extends CalledRelay, AsyncDisposable {
  readonly url: string;
  readonly stores: CrashedStores;
  /** Folder for modules that other processes of the run compile. */
  readonly cacheFolder: string;
  /** Number of times that it was killed so far. */
  readonly kills: number;
  kill(): Promise<void>;
  /** Starts what was killed, and waits until it serves. */
  restart(): Promise<void>;
  /** Like `restart`, without waiting: for a kill in the middle of it. */
  beginRestart(): void;
}

/** The stores of a relay, looked into from outside. */
export interface CrashedStores {
  /** Every acknowledged sound is stored, and no byte is left over. @throws {BrokenPromise} */
  check(checks: Checks, promisedSounds: number): Promise<void>;
  /** Everything, which takes longer. @throws {BrokenPromise} */
  checkWhole(checks: Checks): Promise<void>;
}

/** The relay was killed before it answered; the request may or may not have taken effect. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** Works until the relay is killed. */
export async function untilLost(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  }
}

/** A relay or an importer no longer has what it acknowledged. */
export class BrokenPromise extends Error {
  override readonly name: string = "BrokenPromise";
}

/** A call was answered otherwise than it had to be. */
export class WrongAnswer extends BrokenPromise {
  override readonly name = "WrongAnswer";
  readonly answer: Answer;

  constructor(call: string, answer: Answer) {
    super(`${call} was answered ${answer.status} ${answer.json?.error ?? ""}`);
    this.answer = answer;
  }
}

/** Compares what was acknowledged with what there is, and counts. */
export class Checks {
  count = 0;

  /** @throws {BrokenPromise} that names the fact, with what was found and promised */
  same(fact: string, found: unknown, promised: unknown): void {
    const difference = () => `found ${inspect(found)}, promised ${inspect(promised)}`;
    this.holds(fact, isDeepStrictEqual(found, promised), difference);
  }

  /** @throws {BrokenPromise} */
  holds(fact: string, isKept: boolean, why = () => "this doesn't hold"): void {
    this.count += 1;
    if (!isKept) throw new BrokenPromise(`${fact}: ${why()}`);
  }

  /** Looks again until the fact holds. @throws {BrokenPromise} after a minute, or that long */
  async becomes(
    fact: string,
    look: () => Promise<unknown>,
    promised: unknown,
    withinMs = 60_000,
  ): Promise<void> {
    const end = performance.now() + withinMs;
    let found = await look();
    while (!isDeepStrictEqual(found, promised) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      found = await look();
    }
    this.same(fact, found, promised);
  }
}

/** An answer with its body as bytes. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
  readonly json: any;
  /** The header, as it came. */
  readonly retryAfter: string | undefined;
}

/** An answer that came over a socket. */
export interface FetchedAnswer extends Answer {
  readonly headers: Headers;
}

export interface CallOptions {
  readonly token?: string | undefined;
  /** Bytes and texts are sent as they are, other values as JSON. */
  readonly body?: object | string | undefined;
  readonly headers?: Record<string, string>;
}

/** One call over a socket. @throws if the whole answer doesn't come */
export async function fetchAnswer(
  url: string,
  { method, token, body, headers, signal }: CallOptions & { method: string; signal?: AbortSignal },
): Promise<FetchedAnswer> {
  const answer = await fetch(url, {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && {
      body: body instanceof Uint8Array || typeof body === "string" ? body : JSON.stringify(body),
    }),
    ...(signal !== undefined && { signal }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get("content-type")?.includes("json") === true;
  return {
    status: answer.status,
    headers: answer.headers,
    body: bytes,
    json: isJson && bytes.byteLength > 0 ? JSON.parse(String(bytes)) : undefined,
    retryAfter: answer.headers.get("retry-after") ?? undefined,
  };
}
