/** A store of one pairing's token. The token is a secret: store it like a password. */
export interface TokenStore {
  /** Reads the token; undefined if this app is not paired. */
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

/** A store of the ids of packages whose withdrawal the relay hasn't got yet. */
export interface WithdrawalStore {
  load(): Promise<readonly string[]>;
  add(packageId: string): Promise<void>;
  remove(packageId: string): Promise<void>;
}

/** A change to a list of package ids. */
type ChangeIds = (packageIds: readonly string[]) => readonly string[];

/** Builds a store on top of anything that can load and update a list. */
export function withdrawalStore(
  load: () => Promise<readonly string[]>,
  update: (change: ChangeIds) => Promise<void>,
): WithdrawalStore {
  return {
    load,
    add: (packageId) => update((packageIds) => [...without(packageIds, packageId), packageId]),
    remove: (packageId) => update((packageIds) => without(packageIds, packageId)),
  };
}

function without(packageIds: readonly string[], packageId: string): readonly string[] {
  return packageIds.filter((other) => other !== packageId);
}

/** Stores withdrawals for the life of the process or page. */
export function memoryWithdrawals(): WithdrawalStore {
  let packageIds: readonly string[] = [];
  return withdrawalStore(
    async () => packageIds,
    async (change) => {
      packageIds = change(packageIds);
    },
  );
}
