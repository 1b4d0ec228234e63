import type { Pace } from "../../../core/quotas/budgets.ts";
import type { Refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";

/** Somebody who holds a part of a budget. */
export interface Holder {
  readonly caller: Caller;
  amount: number;
  isProven: boolean;
  /** Ends what is held; undefined if that never happens. */
  readonly shed: ((why: Refusal) => void) | undefined;
  /** When it last kept its pace. */
  movedAt: number;
  /** Units since then. */
  moved: number;
  isInUse: boolean;
  isOver: boolean;
}

export function holderOf(caller: Caller, shed: Holder["shed"]): Holder {
  const { isProven } = caller;
  return { caller, amount: 0, isProven, shed, movedAt: 0, moved: 0, isInUse: false, isOver: false };
}

/** Who holds something that can be ended, and in which order it is (rule L7). */
export class Holders {
  readonly #pace: Pace | undefined;
  /** Each in the order of `movedAt`. */
  readonly #proven = new Set<Holder>();
  readonly #unproven = new Set<Holder>();

  /** @param pace what counts as going on; undefined where nothing that is held goes on or stands still */
  constructor(pace: Pace | undefined) {
    this.#pace = pace;
  }

  add(holder: Holder, now: number): void {
    if (holder.shed === undefined || holder.isInUse || holder.isOver) return;
    holder.movedAt = now;
    holder.moved = 0;
    this.#setOf(holder).add(holder);
  }

  moved(holder: Holder, by: number, now: number): void {
    if (this.#pace === undefined || holder.shed === undefined) return;
    holder.moved += by;
    if (holder.moved < this.#pace.units) return;
    this.remove(holder);
    this.add(holder, now);
  }

  use(holder: Holder, isInUse: boolean, now: number): void {
    this.remove(holder);
    holder.isInUse = isInUse;
    this.add(holder, now);
  }

  vouch(holder: Holder, now: number): void {
    this.remove(holder);
    holder.isProven = true;
    this.add(holder, now);
  }

  remove(holder: Holder): void {
    this.#setOf(holder).delete(holder);
  }

  /**
   * First what stands still, the longest silent of the unproven before that of the proven; then what goes on, the
   * newest first. Nobody sees those in it that come before him: an unproven one has only what stands still of the
   * unproven.
   */
  *inOrderOfShedding(asking: Holder, now: number): Iterable<Holder> {
    yield* this.#still(this.#unproven, asking, now);
    if (!asking.isProven) return;
    yield* this.#still(this.#proven, asking, now);
    for (const holder of [...this.#unproven].reverse()) {
      if (holder !== asking && !this.#isStill(holder, now)) yield holder;
    }
  }

  *#still(holders: ReadonlySet<Holder>, asking: Holder, now: number): Iterable<Holder> {
    for (const holder of holders) {
      if (!this.#isStill(holder, now)) return;
      if (holder !== asking) yield holder;
    }
  }

  #isStill({ movedAt }: Holder, now: number): boolean {
    return this.#pace !== undefined && now - movedAt >= this.#pace.ms;
  }

  #setOf({ isProven }: Holder): Set<Holder> {
    return isProven ? this.#proven : this.#unproven;
  }
}
