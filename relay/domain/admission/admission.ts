import type { BudgetLimits } from "../../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Caller } from "../caller.ts";
import { Budget, type Held } from "./budget.ts";

/**
 * What a relay has only so much of at once (rule L6):
 * - `uploads`: running uploads.
 * - `claims`: claims that wait for a yes in the panel (rule P12).
 */
export type Resource = "uploads" | "claims";

/** The refusals of those who hold their share, where one says more than the usual one. */
const REFUSALS_OF_SHARES: Partial<Record<Resource, (max: number) => Refusal>> = {
  uploads: (max) => refusal("UPLOADS_TOO_MANY", { max }, { retryAfterSeconds: 1 }),
};

/** Every budget of this process. What is held is never kept across restarts. */
export class Admission {
  readonly #budgets: ReadonlyMap<Resource, Budget>;

  constructor(limits: Readonly<Record<Resource, BudgetLimits>>) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries forgets which names the table has
    const entries = Object.entries(limits) as [Resource, BudgetLimits][];
    this.#budgets = new Map(
      entries.map(([name, each]) => [name, new Budget(each, REFUSALS_OF_SHARES[name])]),
    );
  }

  /** @throws {Refusal} 429 TOO_MUCH_AT_ONCE or UPLOADS_TOO_MANY, 503 BUSY */
  take(resource: Resource, caller: Caller, amount = 1): Held {
    return this.budget(resource).take(caller, amount);
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
