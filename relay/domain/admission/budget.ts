import { type BudgetLimits, CROWDED_SHARE, PROVEN_SHARE } from "../../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import { type Holder, holderOf, Holders } from "./holders.ts";
import { sharesOf } from "./shares-of.ts";

const WAIT = { seconds: 2 };
const WAITING = { retryAfterSeconds: WAIT.seconds };

/** A part of a budget that somebody holds. Dispose it to give it back. */
export interface Held extends Disposable {
  /** Holds more. @throws {Refusal} like `Budget.take` */
  grow(by: number): void;
  /** Says that what is held goes on, by so many of the units that the budget's pace is in. */
  moved(by?: number): void;
  /** Says that it is in use, and so is never ended for others, until it is said not to be. */
  use(isInUse: boolean): void;
  /** Says that a proven caller holds it (rule L7). */
  vouch(): void;
}

export interface BudgetOptions {
  /** The refusal of a caller that holds its share, which has `max`. */
  readonly refuseShare?: ((max: number) => Refusal) | undefined;
  /** Milliseconds of a steady clock. */
  readonly now?: () => number;
}

/** How much of one resource is held at once, by whom, and in all (rule L6). */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #refuseShare: (max: number) => Refusal;
  readonly #now: () => number;
  readonly #shares = new Map<string, number>();
  readonly #holders: Holders;
  #total = 0;
  #unproven = 0;
  #shed = 0;

  constructor(
    limits: BudgetLimits,
    { refuseShare = tooMuch, now = steadyNow }: BudgetOptions = {},
  ) {
    this.#limits = limits;
    this.#refuseShare = refuseShare;
    this.#now = now;
    this.#holders = new Holders(limits.pace);
  }

  get used(): number {
    return this.#total;
  }

  get max(): number {
    return this.#limits.all;
  }

  /** How many holders were ended for others. */
  get shed(): number {
    return this.#shed;
  }

  /**
   * Where there is no room for all, ends what others hold, as far as the caller comes before them (rule L7).
   * @param shed ends what is held, when others need it; without it, it is never ended
   * @throws {Refusal} 429 when the caller holds its share, 503 BUSY when the relay's is used up;
   * both with the seconds to wait
   */
  take(caller: Caller, amount = 1, shed?: (why: Refusal) => void): Held {
    const holder = holderOf(caller, shed, this.#now());
    this.#grow(holder, amount);
    this.#holders.add(holder);
    return {
      grow: (by) => this.#grow(holder, by),
      moved: (by = Infinity) => this.#holders.moved(holder, by, this.#now()),
      use: (isInUse) => this.#holders.use(holder, isInUse, this.#now()),
      vouch: () => this.#vouch(holder),
      [Symbol.dispose]: () => this.#release(holder),
    };
  }

  #grow(holder: Holder, by: number): void {
    if (holder.isOver) return;
    this.#refuseOwnShare(holder.caller, by);
    this.#makeRoom(holder, by);
    this.#count(holder, by);
  }

  #refuseOwnShare(caller: Caller, amount: number): void {
    const isCrowded = this.#total + amount > this.#limits.all * CROWDED_SHARE;
    for (const { key, max, isNetwork } of sharesOf(this.#limits, caller)) {
      const isOver = (this.#shares.get(key) ?? 0) + amount > max;
      if (isOver && (isCrowded || !isNetwork)) throw this.#refuseShare(max);
    }
  }

  /** Ends no more than the new one needs, and nothing if that is not enough. */
  #makeRoom(asking: Holder, amount: number): void {
    let excess = this.#excess(asking, amount);
    if (excess <= 0) return;
    const ending: Holder[] = [];
    for (const holder of this.#holders.inOrderOfShedding(asking, this.#now())) {
      ending.push(holder);
      excess -= holder.amount;
      if (excess <= 0) break;
    }
    if (excess > 0) throw busy();
    for (const holder of ending) this.#end(holder);
  }

  /** By how much the relay's budget would be exceeded; a share of it is for the proven only. */
  #excess({ isProven }: Holder, amount: number): number {
    const { all, provenShare = PROVEN_SHARE } = this.#limits;
    const inAll = this.#total + amount - all;
    if (isProven) return inAll;
    return Math.max(inAll, this.#unproven + amount - all * (1 - provenShare));
  }

  #end(holder: Holder): void {
    this.#shed += 1;
    this.#release(holder);
    holder.shed?.(busy());
  }

  #release(holder: Holder): void {
    if (holder.isOver) return;
    this.#holders.remove(holder);
    this.#count(holder, -holder.amount);
    holder.isOver = true;
  }

  #vouch(holder: Holder): void {
    if (holder.isProven || holder.isOver) return;
    this.#unproven -= holder.amount;
    this.#holders.vouch(holder);
  }

  #count(holder: Holder, amount: number): void {
    this.#total += amount;
    if (!holder.isProven) this.#unproven += amount;
    holder.amount += amount;
    for (const { key } of sharesOf(this.#limits, holder.caller)) {
      const held = (this.#shares.get(key) ?? 0) + amount;
      if (held > 0) this.#shares.set(key, held);
      else this.#shares.delete(key);
    }
  }
}

function tooMuch(): Refusal {
  return refusal("TOO_MUCH_AT_ONCE", WAIT, WAITING);
}

function busy(): Refusal {
  return refusal("BUSY", WAIT, WAITING);
}

function steadyNow(): number {
  return performance.now();
}
