import type { WithdrawalStore } from "../pairing/token-store.ts";
import { isPairingOver } from "../wire/answer-error.ts";
import { ClientError } from "../wire/client-error.ts";
import { untilBack } from "../wire/retry.ts";

/**
 * The fate of an aborted `send`'s package:
 * - `nothing`: there is no package; nothing was announced
 * - `withdrawn`: the relay has removed it
 * - `pending`: the relay couldn't be reached; the client withdraws it as soon as it is used again
 * - `kept`: the app gave its own key, so that it can resume the package
 * - `taken`: too late: it was committed, and the importer already has it
 */
export type AbortOutcome = "nothing" | "withdrawn" | "pending" | "kept" | "taken";

/** The error of a `send` whose signal aborted. Its `cause` is the signal's reason. */
export class AbortedSend extends ClientError {
  override readonly name = "AbortError";
  readonly outcome: AbortOutcome;

  constructor(outcome: AbortOutcome, reason: unknown, packageId: string | undefined) {
    super(SENTENCES[outcome], { code: "SEND_ABORTED", packageId, cause: reason });
    this.outcome = outcome;
  }
}

const SENTENCES: Readonly<Record<AbortOutcome, string>> = {
  nothing: "Stopped; nothing was sent.",
  withdrawn: "Stopped; nothing was sent.",
  pending: "Stopped. What was sent so far is withdrawn once the relay can be reached.",
  kept: "Stopped. Send it again to resume.",
  taken: "Too late to stop: this package is already being imported.",
};

/** The longest time for which a package can hold room at a relay. */
const LISTEN_MS = 60 * 60_000;

/** Withdraws packages, and tries again later if the relay can't be reached. */
export class Withdrawals {
  readonly #withdraw: (packageId: string) => Promise<void>;
  readonly #store: WithdrawalStore;
  #isDelivered = false;

  /** @param withdraw makes one call, which may outlive the page */
  constructor(withdraw: (packageId: string) => Promise<void>, store: WithdrawalStore) {
    this.#withdraw = withdraw;
    this.#store = store;
  }

  /** Withdraws a package. Stores its id first, because the page may end before the answer. */
  async withdraw(packageId: string): Promise<AbortOutcome> {
    await this.#store.add(packageId).catch(() => undefined);
    const outcome = await this.#try(packageId);
    if (outcome === "pending") this.#deliverLater();
    return outcome;
  }

  /** Delivers pending withdrawals, unless all were delivered before. */
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
    void untilBack(AbortSignal.timeout(LISTEN_MS)).then(() => this.deliver());
  }

  /** Withdraws once. Only the relay's own answer settles it. */
  async #try(packageId: string): Promise<AbortOutcome> {
    let outcome: AbortOutcome = "withdrawn";
    try {
      await this.#withdraw(packageId);
    } catch (error) {
      const status = error instanceof ClientError ? error.status : undefined;
      if (status === 409) outcome = "taken";
      // Without the package or the pairing, nothing is left to withdraw.
      else if (status !== 404 && !isPairingOver(error)) return "pending";
    }
    await this.#store.remove(packageId).catch(() => undefined);
    return outcome;
  }
}
