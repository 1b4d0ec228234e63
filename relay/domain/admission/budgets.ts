import {
  type BudgetLimits,
  CROWDED_SHARE,
  PROVEN_SHARE,
  REFUSED_BYTES,
} from "../../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { type Caller, sharesOf } from "../caller.ts";
import { RefusedWork } from "./refused-work.ts";
import { Turns } from "./turns.ts";
import { type Holder, holderOf, Holders } from "./holders.ts";

/**
 * Names of the resources that a relay has only so much of at once (rule L6):
 * - `connections`: connections to the relay's port, with and without calls.
 * - `lan-connections`: those of them that are from the local network (rule LAN6).
 * - `sockets`: importers' WebSockets.
 * - `bodies`: bytes of JSON bodies that are arriving.
 * - `answers`: bytes of JSON answers that their readers have not taken yet.
 * - `uploads`, `downloads`: running transfers.
 * - `polls`: long-polls that wait.
 * - `claims`: claims that wait for a yes in the panel (rule P12).
 */
export type Resource =
  | "connections"
  | "lan-connections"
  | "sockets"
  | "bodies"
  | "answers"
  | "uploads"
  | "downloads"
  | "polls"
  | "claims";

/** Refusals of a spent share that say more than the usual one. */
const REFUSALS_OF_SHARES: Partial<Record<Resource, (max: number) => Refusal>> = {
  uploads: (max) => refusal("UPLOADS_TOO_MANY", { max }, { retryAfterSeconds: 1 }),
};

/** Every budget of this process. Nothing that is held outlives a restart. */
export class Admission {
  readonly #budgets: ReadonlyMap<Resource, Budget>;
  /** The cost of refused calls (rule L9). */
  readonly refused: RefusedWork;
  /** Work that takes turns. */
  readonly turns = new Turns();

  /** @param now milliseconds of a steady clock */
  constructor(
    limits: Readonly<Record<Resource, BudgetLimits>>,
    { now = steadyNow, refusedBytes = REFUSED_BYTES }: AdmissionOptions = {},
  ) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries forgets which names the table has
    const entries = Object.entries(limits) as [Resource, BudgetLimits][];
    this.#budgets = new Map(
      entries.map(([name, each]) => [
        name,
        new Budget(each, { now, refuseShare: REFUSALS_OF_SHARES[name] }),
      ]),
    );
    this.refused = new RefusedWork(refusedBytes, { now });
  }

  /**
   * Takes a part of a resource's budget, as `Budget.take` does.
   * @param shed ends what is held when others need it (rule L7)
   * @throws {Refusal} 429 TOO_MUCH_AT_ONCE or UPLOADS_TOO_MANY, 503 BUSY
   */
  take(resource: Resource, caller: Caller, amount = 1, shed?: (why: Refusal) => void): Permit {
    return this.budget(resource).take(caller, amount, shed);
  }

  /** Every resource that has a budget. */
  get resources(): readonly Resource[] {
    return [...this.#budgets.keys()];
  }

  /** The budget of one resource, for metrics and for code that adapts to it. */
  budget(resource: Resource): Budget {
    const budget = this.#budgets.get(resource);
    if (budget === undefined) throw new Error(`There is no budget for ${resource}.`);
    return budget;
  }
}

interface AdmissionOptions {
  readonly now?: () => number;
  readonly refusedBytes?: BudgetLimits;
}

const WAIT = { seconds: 2 };
const WAITING = { retryAfterSeconds: WAIT.seconds };

/** A part of a budget that a caller holds. Disposing gives it back. */
export interface Permit extends Disposable {
  /** Holds more. @throws {Refusal} like `Budget.take` */
  grow(by: number): void;
  /** Records progress, in the units of the budget's pace. */
  moved(by?: number): void;
  /** Marks the part as in use, or not. A part in use is never ended for others. */
  use(isInUse: boolean): void;
  /** Records that a proven caller holds it (rule L7). */
  markProven(): void;
}

interface BudgetOptions {
  /** Makes the refusal of a caller whose share of `max` is used up. */
  readonly refuseShare?: ((max: number) => Refusal) | undefined;
  /** Milliseconds of a steady clock. */
  readonly now?: () => number;
}

/** One budget for a scarce resource: how much of it each caller holds, and all together (rule L6). */
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

  /** Number of holders that were ended for others. */
  get shed(): number {
    return this.#shed;
  }

  /**
   * Takes a part of the budget. Without room for all, ends holders that the caller comes before (rule L7).
   * @param shed ends what is held when others need it; without it, the part is never ended
   * @throws {Refusal} 429 when the caller's share is used up, 503 BUSY when the relay's is; both with the
   * seconds to wait
   */
  take(caller: Caller, amount = 1, shed?: (why: Refusal) => void): Permit {
    const holder = holderOf(caller, shed, this.#now());
    this.#grow(holder, amount);
    this.#holders.add(holder);
    return {
      grow: (by) => this.#grow(holder, by),
      moved: (by = Infinity) => this.#holders.moved(holder, by, this.#now()),
      use: (isInUse) => {
        holder.isInUse = isInUse;
        // The time counts only while it isn't in use, and reading it in every call costs.
        if (!isInUse) holder.movedAt = this.#now();
      },
      markProven: () => this.#markProven(holder),
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

  /** Ends no more holders than the amount needs, and none if that is not enough. */
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

  /** The amount by which the relay's budget would be exceeded. A share of it is for proven callers only. */
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

  #markProven(holder: Holder): void {
    if (holder.isProven || holder.isOver) return;
    this.#unproven -= holder.amount;
    this.#holders.markProven(holder);
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
