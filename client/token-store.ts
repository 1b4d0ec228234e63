/** Where a client keeps the token of one pairing. It is a secret: keep it like a password. */
export interface TokenStore {
  /** undefined where this app is not paired. */
  load(): Promise<string | undefined>;
  /** Replaces what was kept. */
  save(token: string): Promise<void>;
  /** Forgets this token; another one that was saved meanwhile stays. */
  forget(token: string): Promise<void>;
}

/** Keeps the token as long as the process or page lives. */
export class MemoryTokenStore implements TokenStore {
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
