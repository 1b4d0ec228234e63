import type { Pace } from "../../../core/quotas/budgets.ts";
import type { Refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";

/** One caller's part of a budget. */
export interface Holder {
  readonly caller: Caller;
  amount: number;
  takenAt: number;
  isProven: boolean;
  /** Ends what is held; undefined if that never happens. */
  readonly shed: ((why: Refusal) => void) | undefined;
  /** The time at which it last kept its pace. */
  movedAt: number;
  /** Units of progress since then. */
  moved: number;
  isInUse: boolean;
  isOver: boolean;
}

export function holderOf(caller: Caller, shed: Holder["shed"], takenAt: number): Holder {
  const { isProven } = caller;
  const start = { amount: 0, movedAt: takenAt, moved: 0, isInUse: false, isOver: false };
  return { caller, takenAt, isProven, shed, ...start };
}

/** Stalled holders are looked for again after this share of the pace's time, so that a flood of requests costs little. */
const LOOK_AGAIN_SHARE = 0.05;

/** The holders that can be ended for others, and the order in which they are (rule L7). */
export class Holders {
  readonly #pace: Pace | undefined;
  readonly #proven = new Set<Holder>();
  readonly #unproven = new Set<Holder>();
  /** The last look for stalled holders, for each set. */
  readonly #looks = new Map<ReadonlySet<Holder>, Look>();

  /** @param pace the least progress of a holder that isn't stalled; undefined where there is no progress */
  constructor(pace: Pace | undefined) {
    this.#pace = pace;
  }

  add(holder: Holder): void {
    if (holder.shed !== undefined && !holder.isOver) this.#setOf(holder).add(holder);
  }

  moved(holder: Holder, by: number, now: number): void {
    if (this.#pace === undefined) return;
    holder.moved += by;
    if (holder.moved < this.#pace.units) return;
    holder.movedAt = now;
    holder.moved = 0;
  }

  markProven(holder: Holder): void {
    this.remove(holder);
    holder.isProven = true;
    this.add(holder);
  }

  remove(holder: Holder): void {
    this.#setOf(holder).delete(holder);
  }

  /**
   * Yields stalled holders first, the longest silent first and the unproven before the proven; then unproven holders
   * with progress, the newest first. An unproven caller gets only the stalled unproven holders.
   */
  *inOrderOfShedding(asking: Holder, now: number): Iterable<Holder> {
    yield* this.#still(this.#unproven, asking, now);
    if (!asking.isProven) return;
    yield* this.#still(this.#proven, asking, now);
    const going = [...this.#unproven].filter((holder) => !holder.isInUse && holder !== asking);
    yield* going
      .filter((holder) => !this.#isStill(holder, now))
      .reverse()
      .sort(newestFirst);
  }

  /** Yields stalled holders, the longest silent first. */
  *#still(holders: ReadonlySet<Holder>, asking: Holder, now: number): Iterable<Holder> {
    if (this.#pace === undefined) return;
    let look = this.#looks.get(holders);
    if (look === undefined || now >= look.againAt) {
      const still = [...holders].filter((holder) => this.#isStill(holder, now));
      still.sort((one, other) => one.movedAt - other.movedAt);
      look = { still, next: 0, againAt: now + this.#pace.ms * LOOK_AGAIN_SHARE };
      this.#looks.set(holders, look);
    }
    while (look.still[look.next]?.isOver === true) look.next += 1;
    for (let index = look.next; index < look.still.length; index += 1) {
      const holder = look.still[index];
      // Meanwhile it may have made progress, ended, or become proven.
      if (holder === undefined || holder === asking || !holders.has(holder)) continue;
      if (this.#isStill(holder, now)) yield holder;
    }
  }

  #isStill({ movedAt, isInUse }: Holder, now: number): boolean {
    return this.#pace !== undefined && !isInUse && now - movedAt >= this.#pace.ms;
  }

  #setOf({ isProven }: Holder): Set<Holder> {
    return isProven ? this.#proven : this.#unproven;
  }
}

interface Look {
  readonly still: readonly Holder[];
  /** The index of the first holder that has not ended since. */
  next: number;
  readonly againAt: number;
}

function newestFirst(one: Holder, other: Holder): number {
  return other.takenAt - one.takenAt;
}
