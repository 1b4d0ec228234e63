import { type LocalStorage, withLocalStorage } from "./local-storage.ts";
import { parseRelayUrl } from "../wire/relay-url.ts";
import type { TokenStore } from "../pairing/token-store.ts";
import { withdrawalStore, type WithdrawalStore } from "../send/withdrawal-store.ts";

/** Stores one relay's token in a browser's `localStorage`, for all pages of one origin. */
export class LocalStorageTokenStore implements TokenStore {
  readonly withdrawals: WithdrawalStore;
  readonly #key: string;

  /** @throws {ClientError} if the address is not http or https */
  constructor(relayUrl: string, key = "soundferry.token") {
    this.#key = `${key} ${parseRelayUrl(relayUrl)}`;
    this.withdrawals = localStorageWithdrawals(`${this.#key} withdrawals`);
  }

  async load(): Promise<string | undefined> {
    return withLocalStorage((storage) => storage.getItem(this.#key)) ?? undefined;
  }

  async save(token: string): Promise<void> {
    withLocalStorage((storage) => storage.setItem(this.#key, token));
  }

  async forget(token: string): Promise<void> {
    withLocalStorage((storage) => {
      if (storage.getItem(this.#key) === token) storage.removeItem(this.#key);
    });
  }
}

/** One id a line. */
function localStorageWithdrawals(key: string): WithdrawalStore {
  const idsIn = (storage: LocalStorage): readonly string[] =>
    (storage.getItem(key) ?? "").split("\n").filter(Boolean);
  return withdrawalStore(
    async () => withLocalStorage(idsIn),
    async (change) =>
      withLocalStorage((storage) => {
        const packageIds = change(idsIn(storage));
        if (packageIds.length === 0) storage.removeItem(key);
        else storage.setItem(key, packageIds.join("\n"));
      }),
  );
}
