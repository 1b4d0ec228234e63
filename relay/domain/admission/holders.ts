import type { Pace } from "../../../core/quotas/budgets.ts";
import type { Refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";

/** Somebody who holds a part of a budget. */
export interface Holder {
  readonly caller: Caller;
  amount: number;
  takenAt: number;
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

export function holderOf(caller: Caller, shed: Holder["shed"], takenAt: number): Holder {
  const { isProven } = caller;
  const [isInUse, isOver] = [false, false];
  return {
    caller,
    amount: 0,
    takenAt,
    isProven,
    shed,
    movedAt: takenAt,
    moved: 0,
    isInUse,
    isOver,
  };
}

/** Who stands still is looked for again after this share of the pace's time: a flood of askers must not cost much. */
const LOOK_AGAIN_SHARE = 0.05;

/** Who holds something that can be ended, and in which order it is (rule L7). */
export class Holders {
  readonly #pace: Pace | undefined;
  readonly #proven = new Set<Holder>();
  readonly #unproven = new Set<Holder>();
  /** Who stood still the last time that somebody looked, and when to look again. */
  readonly #looks = new Map<ReadonlySet<Holder>, Look>();

  /** @param pace what counts as going on; undefined where nothing that is held goes on or stands still */
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

  use(holder: Holder, isInUse: boolean, now: number): void {
    holder.isInUse = isInUse;
    holder.movedAt = now;
  }

  vouch(holder: Holder): void {
    this.remove(holder);
    holder.isProven = true;
    this.add(holder);
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
    const going = [...this.#unproven].filter((holder) => !holder.isInUse && holder !== asking);
    yield* going
      .filter((holder) => !this.#isStill(holder, now))
      .reverse()
      .sort(newestFirst);
  }

  /** The longest silent first. */
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
      // Meanwhile it may have gone on, ended, or been vouched for.
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
  /** The first that has not ended since. */
  next: number;
  readonly againAt: number;
}

function newestFirst(one: Holder, other: Holder): number {
  return other.takenAt - one.takenAt;
}
