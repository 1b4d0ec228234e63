import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { tiersOf } from "../../../core/quotas/address-tiers.ts";
import { strangerAt } from "../caller.ts";
import { type Context, HOUR_MS } from "../context.ts";
import { InterruptibleSleep } from "../upkeep/interruptible-sleep.ts";
import type { Held } from "../admission/budget.ts";
import { type Claimant, networkOf } from "./pairing-guesses.ts";
import type { PairingAsk } from "../ports.ts";
import { makeId } from "./tokens.ts";

/** A claim whose form is right. */
export interface ParsedClaim {
  /** SHA-256 of the code; undefined if what was sent can't be one. */
  readonly codeHash: string | undefined;
  readonly appId: string;
  readonly appName: string;
}

/** A place among the claims that wait (rule P12). @throws {Refusal} 429 TOO_MUCH_AT_ONCE */
export function holdPlace({ admission }: Context, address: string): Held {
  try {
    return admission.take("claims", strangerAt(address));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refusal("TOO_MUCH_AT_ONCE", { seconds: 2 }, { retryAfterSeconds: 2 });
  }
}

/**
 * Waits until a person allows the claim in the panel, and pairs it then with `pair` (rule P12).
 * @returns what `pair` returned; undefined for a wrong code, a no, and nobody, each exactly when the wait is over
 * @throws {Refusal} 503 STOPPING when `stopped` aborts
 */
export async function claimWithYes<Paired>(
  context: Context,
  { codeHash, appId, appName }: ParsedClaim,
  {
    claimant,
    stopped,
    pair,
  }: {
    readonly claimant: Claimant;
    readonly stopped: AbortSignal;
    readonly pair: () => Promise<Paired | undefined>;
  },
): Promise<Paired | undefined> {
  const wait = new Wait(context.policy.consentWaitMs, stopped);
  const requestId = makeId("req", context.randomBytes);
  const { address } = tiersOf(claimant.address);
  const asker = { requestId, appId, appName, address, network: networkOf(claimant) };
  let stopListening: (() => void) | undefined;
  try {
    for (;;) {
      const asked = codeHash === undefined ? undefined : await ask(context, { codeHash, ...asker });
      if (asked?.outcome === "allowed") {
        const paired = await pair();
        if (paired !== undefined) return paired;
      }
      if (asked !== undefined && stopListening === undefined) {
        // An answer may have come before anybody listened: it asks once more.
        stopListening = context.notifier.listen(`device:${asked.deviceId}`, wait.lookAgain);
        continue;
      }
      if (!(await wait.goesOn(context.policy.lookAgainMs))) return undefined;
    }
  } finally {
    stopListening?.();
    wait[Symbol.dispose]();
  }
}

async function ask(context: Context, asker: Omit<PairingAsk, "now" | "latestEnd">) {
  const { pairings, clock, policy, notifier } = context;
  const now = clock.now();
  const latestEnd = now + policy.pairingCodeTtlMs + HOUR_MS;
  const asked = await pairings.requests?.ask({ ...asker, now, latestEnd });
  if (asked?.outcome === "asked" || asked?.outcome === "disputed") {
    await notifier.notify(`device:${asked.deviceId}`, { type: "pairing.asked" });
  }
  return asked;
}

/** A wait that ends after a fixed time, whatever happens meanwhile. */
class Wait implements Disposable {
  readonly #sleep = new InterruptibleSleep();
  readonly #stopped: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout>;
  #isOver = false;

  constructor(ms: number, stopped: AbortSignal) {
    this.#stopped = stopped;
    this.#timer = setTimeout(this.#end, ms);
    stopped.addEventListener("abort", this.#end);
    if (stopped.aborted) this.#end();
  }

  readonly #end = (): void => {
    this.#isOver = true;
    this.#sleep.interrupt();
  };

  readonly lookAgain = (): void => this.#sleep.interrupt();

  /** Resolves when it is time to look again; false once the wait is over. */
  async goesOn(lookAgainMs: number): Promise<boolean> {
    if (!this.#isOver) await this.#sleep.for(lookAgainMs);
    if (this.#stopped.aborted) {
      throw refusal("STOPPING", { seconds: 2 }, { retryAfterSeconds: 2 });
    }
    return !this.#isOver;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stopped.removeEventListener("abort", this.#end);
  }
}
