import { type BudgetLimits, REFUSED_BYTES } from "../../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import { Budget, type Held } from "./budget.ts";
import { RefusedWork } from "./refused-work.ts";
import { Turns } from "./turns.ts";

/**
 * What a relay has only so much of at once (rule L6):
 * - `connections`: connections to the relay's port, with and without calls.
 * - `sockets`: importers' WebSockets.
 * - `bodies`: bytes of JSON bodies that are arriving.
 * - `answers`: bytes of JSON answers that their readers have not taken yet.
 * - `uploads`, `downloads`: running ones.
 * - `polls`: long-polls that wait.
 * - `claims`: claims that wait for a yes in the panel (rule P12).
 */
export type Resource =
  | "connections"
  | "sockets"
  | "bodies"
  | "answers"
  | "uploads"
  | "downloads"
  | "polls"
  | "claims";

/** The refusals of those who hold their share, where one says more than the usual one. */
const REFUSALS_OF_SHARES: Partial<Record<Resource, (max: number) => Refusal>> = {
  uploads: (max) => refusal("UPLOADS_TOO_MANY", { max }, { retryAfterSeconds: 1 }),
};

/** Every budget of this process. What is held is never kept across restarts. */
export class Admission {
  readonly #budgets: ReadonlyMap<Resource, Budget>;
  /** What refused calls have cost (rule L9). */
  readonly refused: RefusedWork;
  /** Work that takes turns. */
  readonly turns = new Turns();

  /** @param now milliseconds of a steady clock */
  constructor(
    limits: Readonly<Record<Resource, BudgetLimits>>,
    { now, refusedBytes = REFUSED_BYTES }: AdmissionOptions = {},
  ) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries forgets which names the table has
    const entries = Object.entries(limits) as [Resource, BudgetLimits][];
    const clock = now === undefined ? {} : { now };
    this.#budgets = new Map(
      entries.map(([name, each]) => [
        name,
        new Budget(each, { ...clock, refuseShare: REFUSALS_OF_SHARES[name] }),
      ]),
    );
    this.refused = new RefusedWork(refusedBytes, clock);
  }

  /**
   * @param shed ends what is held when others need it (rule L7)
   * @throws {Refusal} 429 TOO_MUCH_AT_ONCE or UPLOADS_TOO_MANY, 503 BUSY
   */
  take(resource: Resource, caller: Caller, amount = 1, shed?: (why: Refusal) => void): Held {
    return this.budget(resource).take(caller, amount, shed);
  }

  /** What there are budgets for. */
  get resources(): readonly Resource[] {
    return [...this.#budgets.keys()];
  }

  /** How much of it is used, for metrics and for those that adapt to it. */
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
