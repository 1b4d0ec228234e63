import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import { parseRelayUrl } from "../wire/relay-url.ts";
import type { TokenStore } from "../pairing/token-store.ts";
import { withdrawalStore, type WithdrawalStore } from "../send/withdrawal-store.ts";
import { PrivateJsonFile } from "./private-json-file.ts";

/** Stores the tokens of several relays in one JSON file that only its owner may read (0600). */
export class FileTokenStore implements TokenStore {
  readonly withdrawals: WithdrawalStore;
  readonly #file: PrivateJsonFile;
  readonly #relayUrl: string;

  /** Uses the token of this relay's base address. Creates the file and its folder when needed. */
  constructor(file: string, relayUrl: string) {
    this.#file = new PrivateJsonFile(file);
    this.#relayUrl = parseRelayUrl(relayUrl);
    this.withdrawals = fileWithdrawals(this.#file, `withdrawals ${this.#relayUrl}`);
  }

  async load(): Promise<string | undefined> {
    const token = tokensOf(await this.#file.read())[this.#relayUrl];
    return typeof token === "string" ? token : undefined;
  }

  async save(token: string): Promise<void> {
    await this.#file.update((stored) => ({ ...tokensOf(stored), [this.#relayUrl]: token }));
  }

  async forget(token: string): Promise<void> {
    await this.#file.update((stored) => {
      const { [this.#relayUrl]: mine, ...others } = tokensOf(stored);
      return mine === token ? others : undefined;
    });
  }
}

/** By the relay's address. */
function tokensOf(stored: object | undefined): JsonObject {
  return isJsonObject(stored) ? stored : {};
}

/** Beside the tokens, under a key of their own. */
function fileWithdrawals(file: PrivateJsonFile, key: string): WithdrawalStore {
  const idsIn = (stored: object | undefined): readonly string[] => {
    const packageIds = tokensOf(stored)[key];
    return Array.isArray(packageIds) ? packageIds.map(String) : [];
  };
  return withdrawalStore(
    async () => idsIn(await file.read()),
    (change) =>
      file.update((stored) => {
        const { [key]: _, ...others } = tokensOf(stored);
        const packageIds = change(idsIn(stored));
        return packageIds.length === 0 ? others : { ...others, [key]: packageIds };
      }),
  );
}
