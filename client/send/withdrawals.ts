import type { AbortOutcome } from "./aborted-send.ts";
import { ClientError } from "../wire/client-error.ts";
import { isTemporary } from "../wire/retry.ts";
import { untilOnline } from "../wire/until-online.ts";
import type { WithdrawalStore } from "./withdrawal-store.ts";

/** Withdraws packages, and tries again later if the relay can't be reached. */
export class Withdrawals {
  readonly #withdraw: (packageId: string) => Promise<void>;
  readonly #store: WithdrawalStore;
  #isDelivered = false;

  /** @param withdraw one call, which may outlive the page */
  constructor(withdraw: (packageId: string) => Promise<void>, store: WithdrawalStore) {
    this.#withdraw = withdraw;
    this.#store = store;
  }

  /** Withdraws a package. Stored before the call, because the page may end before the answer. */
  async take(packageId: string): Promise<AbortOutcome> {
    await this.#store.add(packageId).catch(() => undefined);
    const outcome = await this.#try(packageId);
    if (outcome === "pending") this.#deliverLater();
    return outcome;
  }

  /** Delivers what is pending; the first time, and whenever something became pending since. */
  async deliver(): Promise<void> {
    if (this.#isDelivered) return;
    this.#isDelivered = true;
    const packageIds = await this.#store.load().catch(() => []);
    for (const packageId of packageIds) {
      if ((await this.#try(packageId)) === "pending") return this.#deliverLater();
    }
  }

  #deliverLater(): void {
    if (!this.#isDelivered) return;
    this.#isDelivered = false;
    void untilOnline(AbortSignal.timeout(LISTEN_MS)).then(() => this.deliver());
  }

  async #try(packageId: string): Promise<AbortOutcome> {
    try {
      await this.#withdraw(packageId);
    } catch (error) {
      if (isTemporary(error)) return "pending";
      await this.#forget(packageId);
      const code = error instanceof ClientError ? error.code : undefined;
      const isTaken = code === "PACKAGE_TAKEN" || code === "PACKAGE_IMPORTED";
      return isTaken ? "taken" : "withdrawn";
    }
    await this.#forget(packageId);
    return "withdrawn";
  }

  async #forget(packageId: string): Promise<void> {
    await this.#store.remove(packageId).catch(() => undefined);
  }
}

/** As long as a package can hold anything at a relay. */
const LISTEN_MS = 60 * 60_000;
