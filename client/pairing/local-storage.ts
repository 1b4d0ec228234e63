import { ClientError } from "../wire/client-error.ts";
import { randomId } from "../wire/random-id.ts";
import { parseRelayUrl } from "../wire/relay-http.ts";
import { type Pairing, type PairingStore, readPairings } from "./pairings.ts";
import { type TokenStore, withdrawalStore, type WithdrawalStore } from "./token-store.ts";

/** The part of a browser's `localStorage` used here. */
export type LocalStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const ofBrowser = (): LocalStorage => localStorage;

/**
 * Calls `act` with this page's `localStorage`. Every script of the page's origin can read what it stores.
 * @throws {ClientError} `STORAGE_FORBIDDEN` if the browser stores nothing for this page
 */
export function withLocalStorage<Result>(
  act: (storage: LocalStorage) => Result,
  storageOf = ofBrowser,
): Result {
  try {
    return act(storageOf());
  } catch (cause) {
    const sentence =
      "This browser doesn't store data for this page. Allow it in the browser's settings.";
    throw new ClientError(sentence, { code: "STORAGE_FORBIDDEN", cause });
  }
}

/**
 * Returns an `id` for `app` in a browser, created on first use and stored in `localStorage`.
 * @param storageOf returns the storage, such as `sessionStorage`, which ends with the tab
 * @throws {ClientError} `STORAGE_FORBIDDEN`
 */
export function localAppId(key = "soundferry.app-id", storageOf = ofBrowser): string {
  return withLocalStorage((storage) => {
    const appId = storage.getItem(key) ?? randomId();
    storage.setItem(key, appId);
    return appId;
  }, storageOf);
}

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

/** Stores one id per line. */
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

/** Stores pairings in a browser's `localStorage`, for all pages of one origin. */
export class LocalStoragePairings implements PairingStore {
  readonly #key: string;
  readonly #storageOf: () => LocalStorage;

  /** @param storageOf returns the storage, such as `sessionStorage`, which ends with the tab */
  constructor(key = "soundferry.pairings", storageOf = ofBrowser) {
    this.#key = key;
    this.#storageOf = storageOf;
  }

  async load(): Promise<readonly Pairing[]> {
    return withLocalStorage(
      (storage) => parsePairings(storage.getItem(this.#key)),
      this.#storageOf,
    );
  }

  async update(change: (stored: readonly Pairing[]) => readonly Pairing[]): Promise<void> {
    withLocalStorage((storage) => {
      const stored = parsePairings(storage.getItem(this.#key));
      storage.setItem(this.#key, JSON.stringify(change(stored)));
    }, this.#storageOf);
  }
}

/** Parses stored pairings. Damaged text counts as none, so that the user pairs again. */
function parsePairings(text: string | null): readonly Pairing[] {
  try {
    return readPairings(JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}
