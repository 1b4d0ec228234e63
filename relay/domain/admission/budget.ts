import {
  type BudgetLimits,
  CROWDED_SHARE,
  NETWORK_FACTOR,
  PROVEN_SHARE,
} from "../../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";

const WAIT = { seconds: 2 };
const WAITING = { retryAfterSeconds: WAIT.seconds };

/** A part of a budget that somebody holds. Dispose it to give it back. */
export interface Held extends Disposable {
  /** Holds more. @throws {Refusal} like `Budget.take` */
  grow(by: number): void;
}

/** How much of one resource is held at once, by whom, and in all (rule L5). */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #held = new Map<string, number>();
  readonly #refuseShare: (max: number) => Refusal;
  #total = 0;

  /** @param refuseShare the refusal of a caller that holds its share, which has `max` */
  constructor(limits: BudgetLimits, refuseShare: (max: number) => Refusal = tooMuch) {
    this.#limits = limits;
    this.#refuseShare = refuseShare;
  }

  get used(): number {
    return this.#total;
  }

  get max(): number {
    return this.#limits.all;
  }

  /**
   * @throws {Refusal} 429 when the caller holds its share, 503 BUSY when the relay's is used up;
   * both with the seconds to wait
   */
  take(caller: Caller, amount = 1): Held {
    let held = 0;
    const grow = (by: number) => {
      this.#refuse(caller, by);
      this.#add(caller, by);
      held += by;
    };
    grow(amount);
    return {
      grow,
      [Symbol.dispose]: () => {
        this.#add(caller, -held);
        held = 0;
      },
    };
  }

  #refuse(caller: Caller, amount: number): void {
    const { all } = this.#limits;
    const isCrowded = this.#total + amount > all * CROWDED_SHARE;
    for (const { key, max, isNetwork } of this.#shares(caller)) {
      const isOver = (this.#held.get(key) ?? 0) + amount > max;
      if (isOver && (isCrowded || !isNetwork)) {
        throw this.#refuseShare(max);
      }
    }
    if (this.#total + amount > (caller.isProven ? all : all * (1 - PROVEN_SHARE))) {
      throw refusal("BUSY", WAIT, WAITING);
    }
  }

  #add(caller: Caller, amount: number): void {
    this.#total += amount;
    for (const { key } of this.#shares(caller)) {
      const held = (this.#held.get(key) ?? 0) + amount;
      if (held > 0) this.#held.set(key, held);
      else this.#held.delete(key);
    }
  }

  *#shares({ pairingId, deviceId, address, networks }: Caller) {
    const { perPairing, perDevice, perAddress } = this.#limits;
    if (pairingId !== undefined) yield { key: pairingId, max: perPairing, isNetwork: false };
    if (deviceId !== undefined) yield { key: deviceId, max: perDevice, isNetwork: false };
    yield { key: address, max: perAddress, isNetwork: false };
    let max = perAddress;
    for (const key of networks) yield { key, max: (max *= NETWORK_FACTOR), isNetwork: true };
  }
}

function tooMuch(): Refusal {
  return refusal("TOO_MUCH_AT_ONCE", WAIT, WAITING);
}
