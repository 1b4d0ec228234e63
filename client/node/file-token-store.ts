import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import { parseJsonOrThrow } from "../../core/text/parse-json.ts";
import { type Pairing, type PairingStore, readPairings } from "../pairing/pairings.ts";
import { type TokenStore, withdrawalStore, type WithdrawalStore } from "../pairing/token-store.ts";
import { ClientError } from "../wire/client-error.ts";
import { parseRelayUrl } from "../wire/relay-http.ts";

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

/** Returns the stored tokens by the relay's address. */
function tokensOf(stored: object | undefined): JsonObject {
  return isJsonObject(stored) ? stored : {};
}

/** Stores withdrawals beside the tokens, under a key of their own. */
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

/** Stores pairings in a JSON file that only its owner may read (0600). */
export class FilePairings implements PairingStore {
  readonly #file: PrivateJsonFile;

  /** Creates the file and its folder when needed. */
  constructor(file: string) {
    this.#file = new PrivateJsonFile(file);
  }

  async load(): Promise<readonly Pairing[]> {
    return readPairings(await this.#file.read());
  }

  async update(change: (stored: readonly Pairing[]) => readonly Pairing[]): Promise<void> {
    await this.#file.update((stored) => change(readPairings(stored)));
  }
}

/** A JSON object or list in a file that only its owner may read (0600). Creates the folder when needed. */
export class PrivateJsonFile {
  readonly #file: string;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Reads the value; undefined if there is no file yet.
   * @throws {ClientError} `TOKENS_DAMAGED`
   */
  async read(): Promise<object | undefined> {
    const text = await readFile(this.#file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    return text === undefined ? undefined : this.#parse(text);
  }

  /** Replaces the value with what `change` returns, after earlier updates; undefined leaves it unchanged. */
  async update(change: (stored: object | undefined) => object | undefined): Promise<void> {
    const write = this.#lastWrite.then(async () => {
      const changed = change(await this.read());
      if (changed !== undefined) await this.#replace(changed);
    });
    this.#lastWrite = write.catch(() => undefined);
    return write;
  }

  #parse(text: string): object {
    try {
      const value = parseJsonOrThrow(text);
      if (typeof value === "object" && value !== null) return value;
      throw new TypeError("neither an object nor a list");
    } catch (cause) {
      const sentence = `${this.#file} is damaged. Delete it and pair again.`;
      throw new ClientError(sentence, { code: "TOKENS_DAMAGED", cause });
    }
  }

  async #replace(value: unknown): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const partial = `${this.#file}.${randomUUID()}.part`;
    await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await rename(partial, this.#file);
  }
}
