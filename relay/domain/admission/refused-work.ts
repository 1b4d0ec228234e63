import { type BudgetLimits, CROWDED_SHARE } from "../../../core/quotas/budgets.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { type Caller, sharesOf } from "../caller.ts";

const SLOTS = 12;
const WINDOW_MS = 60_000;
const SLOT_MS = WINDOW_MS / SLOTS;

/** The sum of the amounts of the last minute, in slots of 5 s that are forgotten one at a time. */
class SlidingSum {
  readonly #slots = new Float64Array(SLOTS);
  #slot = 0;
  #sum = 0;

  add(amount: number, now: number): void {
    this.#forget(now);
    const at = this.#slot % SLOTS;
    this.#slots[at] = (this.#slots[at] ?? 0) + amount;
    this.#sum += amount;
  }

  total(now: number): number {
    this.#forget(now);
    return this.#sum;
  }

  /** Returns the whole seconds, at least 1, until the sum falls below `max`. */
  secondsUntilBelow(max: number, now: number): number {
    this.#forget(now);
    let left = this.#sum;
    let slots = 0;
    while (left >= max && slots < SLOTS) {
      slots += 1;
      left -= this.#slots[(this.#slot + slots) % SLOTS] ?? 0;
    }
    const freeAt = (this.#slot + slots) * SLOT_MS;
    return Math.max(1, Math.ceil((freeAt - now) / 1000));
  }

  #forget(now: number): void {
    const slot = Math.floor(now / SLOT_MS);
    const passed = Math.min(SLOTS, slot - this.#slot);
    for (let index = 1; index <= passed; index += 1) {
      const at = (this.#slot + index) % SLOTS;
      this.#sum -= this.#slots[at] ?? 0;
      this.#slots[at] = 0;
    }
    if (passed === SLOTS) this.#sum = 0;
    this.#slot = Math.max(this.#slot, slot);
  }
}

/** Number of sums that are kept. Beyond this, a new caller is counted on its network only. */
const MAX_SUMS = 50_000;
/** The shortest time between two removals of idle sums while the table is full. */
const TIDY_MS = 1000;

/**
 * The cost of the refused calls of the last minute, by pairing, device, address, network and in all (rule L9). A caller
 * that has spent a budget waits before its next call is read.
 */
export class RefusedWork {
  readonly #limits: BudgetLimits;
  readonly #now: () => number;
  readonly #sums = new Map<string, SlidingSum>();
  readonly #all = new SlidingSum();
  #tidiedAt = -Infinity;

  constructor(
    limits: BudgetLimits,
    { now = () => performance.now() }: { readonly now?: () => number } = {},
  ) {
    this.#limits = limits;
    this.#now = now;
  }

  /** The cost of all refused calls of the last minute. */
  get spent(): number {
    return this.#all.total(this.#now());
  }

  /**
   * Judges a call before its body is read. While the budget for all is spent, only callers pass that have had nothing
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

  /** Returns undefined without room for a new caller. A network always has a sum, which counts for such callers. */
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
