import { type BudgetLimits, CROWDED_SHARE } from "../../../core/quotas/budgets.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import { sharesOf } from "./shares-of.ts";
import { SlidingSum } from "./sliding-sum.ts";

/** Sums that are kept. Beyond this, a new caller is counted on its network only. */
const MAX_SUMS = 50_000;
/** While the table is full, idle sums are looked for at most this often. */
const TIDY_MS = 1000;

/**
 * What refused calls have cost in the last minute, by pairing, device, address, network and in all (rule L9). Who has
 * spent a budget waits before a call of his is read.
 */
export class RefusedWork {
  readonly #limits: BudgetLimits;
  readonly #now: () => number;
  readonly #sums = new Map<string, SlidingSum>();
  readonly #all = new SlidingSum();
  #tidiedAt = -Infinity;

  constructor(limits: BudgetLimits, { now }: { readonly now?: () => number } = {}) {
    this.#limits = limits;
    this.#now = now ?? (() => performance.now());
  }

  /** What the last minute's refused calls have cost in all. */
  get spent(): number {
    return this.#all.total(this.#now());
  }

  /**
   * Judges a call before its body is read. While the budget for all is spent, only those go on who have had nothing
   * refused, and whose networks have cost less than one address may.
   * @throws {Refusal} 429 REFUSED_TOO_MUCH
   */
  judge(caller: Caller): void {
    const now = this.#now();
    const { all, perAddress } = this.#limits;
    const spent = this.#all.total(now);
    if (spent === 0) return;
    for (const { key, max, isNetwork } of sharesOf(this.#limits, caller)) {
      if (isNetwork && spent <= all * CROWDED_SHARE) continue;
      const sum = this.#sums.get(key);
      if (sum === undefined) continue;
      const own = sum.total(now);
      if (own >= max) throw tooMuch(sum.secondsUntilBelow(max, now));
      if (spent >= all && own > (isNetwork ? perAddress : 0))
        throw tooMuch(this.#all.secondsUntilBelow(all, now));
    }
  }

  /** Counts a refused call. */
  add(caller: Caller, bytes: number): void {
    const now = this.#now();
    this.#all.add(bytes, now);
    for (const { key, isNetwork } of sharesOf(this.#limits, caller))
      this.#sumOf(key, isNetwork, now)?.add(bytes, now);
  }

  /** A network always has one: it is counted in the place of those for whom there is no room. */
  #sumOf(key: string, isNetwork: boolean, now: number): SlidingSum | undefined {
    let sum = this.#sums.get(key);
    if (sum !== undefined) return sum;
    if (this.#sums.size >= MAX_SUMS) this.#tidy(now);
    if (this.#sums.size >= (isNetwork ? 2 * MAX_SUMS : MAX_SUMS)) return undefined;
    this.#sums.set(key, (sum = new SlidingSum()));
    return sum;
  }

  #tidy(now: number): void {
    if (now - this.#tidiedAt < TIDY_MS) return;
    this.#tidiedAt = now;
    for (const [key, sum] of this.#sums) if (sum.total(now) === 0) this.#sums.delete(key);
  }
}

function tooMuch(seconds: number) {
  return refusal("REFUSED_TOO_MUCH", { seconds }, { retryAfterSeconds: seconds });
}
