import type { ClientSettings } from "./client-settings.ts";
import { MemoryTokenStore, type TokenStore } from "./token-store.ts";
import { SoundferryClient } from "./soundferry-client.ts";

/** One computer that an app is paired with. It holds a secret: keep it like a password. */
export interface Pairing {
  readonly relayUrl: string;
  /** As it was called when pairing; two computers may have one name. */
  readonly deviceName: string;
  readonly token: string;
}

/** Where pairings are kept. */
export interface PairingStore {
  load(): Promise<readonly Pairing[]>;
  /** Replaces what is kept by what `change` makes of it; two changes never mix. */
  update(change: (kept: readonly Pairing[]) => readonly Pairing[]): Promise<void>;
}

/** Keeps pairings as long as the process or page lives. */
export class MemoryPairings implements PairingStore {
  #kept: readonly Pairing[] = [];

  async load(): Promise<readonly Pairing[]> {
    return this.#kept;
  }

  async update(change: (kept: readonly Pairing[]) => readonly Pairing[]): Promise<void> {
    this.#kept = change(this.#kept);
  }
}

/** All computers that an app is paired with, the one to send to first. */
export class Pairings {
  readonly #store: PairingStore;
  readonly #settings: Omit<ClientSettings, "relayUrl" | "tokenStore">;

  /** @param settings of the clients that it makes */
  constructor(store: PairingStore, settings: Omit<ClientSettings, "relayUrl" | "tokenStore"> = {}) {
    this.#store = store;
    this.#settings = settings;
  }

  /** The one that was paired or picked last comes first. */
  async list(): Promise<readonly Pairing[]> {
    return this.#store.load();
  }

  /**
   * Trades a pairing code for a pairing, which becomes the first.
   * @throws {ClientError} as `SoundferryClient.pair` does
   */
  async pair(relayUrl: string, code: string): Promise<Pairing> {
    const tokenStore = new MemoryTokenStore();
    const client = new SoundferryClient({ ...this.#settings, relayUrl, tokenStore });
    const { device_name: deviceName } = await client.pair(code);
    const token = (await tokenStore.load()) ?? "";
    const pairing = { relayUrl: client.relayUrl, deviceName, token };
    await this.pick(pairing);
    return pairing;
  }

  /** Puts it first. */
  async pick(pairing: Pairing): Promise<void> {
    await this.#store.update((kept) => [pairing, ...without(kept, pairing.token)]);
  }

  /** Forgets it here; to tell the relay too, `unpair` with its client. */
  async forget({ token }: Pick<Pairing, "token">): Promise<void> {
    await this.#store.update((kept) => without(kept, token));
  }

  /**
   * A client of this computer. Its `unpair`, and a 401, forget the pairing here too. To pair anew, use
   * `pair` of the pairings.
   */
  clientOf({ relayUrl, token }: Pairing): SoundferryClient {
    const tokenStore: TokenStore = {
      load: async () => (await this.list()).find((kept) => kept.token === token)?.token,
      save: () =>
        Promise.reject(new TypeError("Pair through `Pairings`, which keeps the name too.")),
      forget: async (forgotten) => this.forget({ token: forgotten }),
    };
    return new SoundferryClient({ ...this.#settings, relayUrl, tokenStore });
  }
}

function without(pairings: readonly Pairing[], token: string): readonly Pairing[] {
  return pairings.filter((pairing) => pairing.token !== token);
}
