import { memoryWithdrawals, type WithdrawalStore } from "../send/withdrawal-store.ts";

/** Where a client stores one pairing's token. The token is a secret: store it like a password. */
export interface TokenStore {
  /** undefined if this app is not paired. */
  load(): Promise<string | undefined>;
  /** Replaces the stored token. */
  save(token: string): Promise<void>;
  /** Forgets this token; a different one saved meanwhile stays. */
  forget(token: string): Promise<void>;
  /** Stores withdrawals that the relay hasn't got yet. Without it, they are forgotten with the client. */
  readonly withdrawals?: WithdrawalStore;
}

/** Stores the token for the life of the process or page. */
export class MemoryTokenStore implements TokenStore {
  readonly withdrawals: WithdrawalStore = memoryWithdrawals();
  #token: string | undefined;

  constructor(token?: string) {
    this.#token = token;
  }

  async load(): Promise<string | undefined> {
    return this.#token;
  }

  async save(token: string): Promise<void> {
    this.#token = token;
  }

  async forget(token: string): Promise<void> {
    if (this.#token === token) this.#token = undefined;
  }
}
