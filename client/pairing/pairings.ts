import { isJsonObject } from "../../core/text/json-object.ts";
import { SoundferryClient } from "../soundferry-client.ts";
import type { AppIdentity, ClientSettings } from "../soundferry-client.ts";
import { parseRelayUrl, RelayHistory } from "../wire/relay-http.ts";
import {
  MemoryTokenStore,
  type TokenStore,
  withdrawalStore,
  type WithdrawalStore,
} from "./token-store.ts";

/** One computer that an app is paired with. It contains a secret: store it like a password. */
export interface Pairing {
  readonly relayUrl: string;
  /** The computer's name at the time of pairing; two computers may have the same name. */
  readonly deviceName: string;
  readonly token: string;
  /** Packages whose withdrawal the relay hasn't got yet. */
  readonly withdrawals?: readonly string[];
}

/** A store of pairings. */
export interface PairingStore {
  load(): Promise<readonly Pairing[]>;
  /** Replaces the stored pairings with what `change` returns. Updates run one after another. */
  update(change: (stored: readonly Pairing[]) => readonly Pairing[]): Promise<void>;
}

/** Stores pairings for the life of the process or page. */
export class MemoryPairings implements PairingStore {
  #pairings: readonly Pairing[] = [];

  async load(): Promise<readonly Pairing[]> {
    return this.#pairings;
  }

  async update(change: (stored: readonly Pairing[]) => readonly Pairing[]): Promise<void> {
    this.#pairings = change(this.#pairings);
  }
}

type PairingSettings = Omit<ClientSettings, "relayUrl" | "tokenStore">;

/** All computers that an app is paired with, the current target first. */
export class Pairings {
  readonly #store: PairingStore;
  readonly #settings: PairingSettings;
  /** Knowledge that its clients share of each relay, by address. */
  readonly #histories = new Map<string, RelayHistory>();

  /** @param settings for the clients it creates */
  constructor(store: PairingStore, settings: PairingSettings = {}) {
    this.#store = store;
    this.#settings = settings;
  }

  /** Lists all pairings; the one paired or picked last comes first. */
  async list(): Promise<readonly Pairing[]> {
    return this.#store.load();
  }

  /**
   * Exchanges a pairing code for a pairing and puts it first.
   * @param app default: the one in the settings
   * @throws {ClientError} as `SoundferryClient.pair` does
   */
  async pair(
    relayUrl: string,
    code: string,
    app: AppIdentity | undefined = this.#settings.app,
  ): Promise<Pairing> {
    const tokenStore = new MemoryTokenStore();
    const client = this.#clientAt(relayUrl, tokenStore);
    const { device_name: deviceName } = await client.pair(code, app);
    const token = (await tokenStore.load()) ?? "";
    const pairing = { relayUrl: client.relayUrl, deviceName, token };
    await this.pick(pairing);
    return pairing;
  }

  /** Puts a pairing first. */
  async pick(pairing: Pairing): Promise<void> {
    await this.#store.update((stored) => {
      const same = stored.find(({ token }) => token === pairing.token);
      const picked = withWithdrawals(pairing, same?.withdrawals ?? []);
      return [picked, ...without(stored, pairing.token)];
    });
  }

  /**
   * Forgets a pairing, and what the browser keeps of its packages, here only; to end it on the relay too, call its
   * client's `unpair`.
   */
  async forget({ token }: Pick<Pairing, "token">): Promise<void> {
    const pairing = (await this.list()).find((stored) => stored.token === token);
    if (pairing === undefined) return;
    await this.clientOf(pairing).forgetKept();
    await this.#drop(token);
  }

  /**
   * Creates a client for this computer. Its `unpair`, and a relay that no longer knows its token, end the pairing here too.
   * It can't pair again.
   */
  clientOf({ relayUrl, token }: Pairing): SoundferryClient {
    const tokenStore: TokenStore = {
      load: async () => (await this.list()).find((stored) => stored.token === token)?.token,
      save: () =>
        Promise.reject(new TypeError("Pair through `Pairings`, which keeps the name too.")),
      forget: async (forgotten) => this.#drop(forgotten),
      withdrawals: this.#withdrawalsOf(token),
    };
    return this.#clientAt(relayUrl, tokenStore);
  }

  async #drop(token: string): Promise<void> {
    await this.#store.update((stored) => without(stored, token));
  }

  #clientAt(relayUrl: string, tokenStore: TokenStore): SoundferryClient {
    const address = parseRelayUrl(relayUrl);
    const history = this.#histories.get(address) ?? new RelayHistory();
    this.#histories.set(address, history);
    return new SoundferryClient({ history, ...this.#settings, relayUrl, tokenStore });
  }

  #withdrawalsOf(token: string): WithdrawalStore {
    return withdrawalStore(
      async () => (await this.list()).find((one) => one.token === token)?.withdrawals ?? [],
      (change) =>
        this.#store.update((stored) =>
          stored.map((one) =>
            one.token === token ? withWithdrawals(one, change(one.withdrawals ?? [])) : one,
          ),
        ),
    );
  }
}

function withWithdrawals(pairing: Pairing, packageIds: readonly string[]): Pairing {
  const { relayUrl, deviceName, token } = pairing;
  const plain = { relayUrl, deviceName, token };
  return packageIds.length === 0 ? plain : { ...plain, withdrawals: packageIds };
}

function without(pairings: readonly Pairing[], token: string): readonly Pairing[] {
  return pairings.filter((pairing) => pairing.token !== token);
}

/** Reads the pairings in a stored JSON value; skips entries that are not pairings. */
export function readPairings(stored: unknown): readonly Pairing[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(isPairing);
}

function isPairing(value: unknown): value is Pairing {
  return (
    isJsonObject(value) &&
    ["relayUrl", "deviceName", "token"].every((member) => typeof value[member] === "string")
  );
}
