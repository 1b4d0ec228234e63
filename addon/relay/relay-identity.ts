import type { Identity, IdentityStore } from "../state/stored-settings.ts";

export interface RelayIdentityDeps {
  /** Normalized by `parseRelayUrl`. */
  readonly relayUrl: string;
  readonly store: IdentityStore;
  readonly deviceName: string;
  /** Requests a new identity from the relay (rule P1). */
  readonly register: (deviceName: string) => Promise<{ deviceId: string; importerToken: string }>;
  /** Called when the relay no longer knows this importer: every app must pair again. */
  readonly onLost: () => void;
}

/**
 * The identity at one relay, read from the store or registered on first use. Identities at other relays
 * stay in the store, so that a return to one needs no new pairing (rule P9).
 */
export class RelayIdentity {
  readonly #deps: RelayIdentityDeps;
  #known: Identity | undefined;
  #registering: Promise<Identity> | undefined;

  constructor(deps: RelayIdentityDeps) {
    this.#deps = deps;
    this.#known = deps.store.findIdentity(deps.relayUrl);
  }

  get relayUrl(): string {
    return this.#deps.relayUrl;
  }

  /** The name at the relay, or the one to register with. */
  get deviceName(): string {
    return this.#known?.deviceName ?? this.#deps.deviceName;
  }

  /** Returns the token and registers first where needed; concurrent callers share one registration. */
  async token(): Promise<string> {
    if (this.#known !== undefined) return this.#known.importerToken;
    this.#registering ??= this.#register().finally(() => {
      this.#registering = undefined;
    });
    return (await this.#registering).importerToken;
  }

  /** Drops the identity with a token that got a 401; a newer identity stays. */
  forget(importerToken: string): void {
    if (this.#known?.importerToken !== importerToken) return;
    this.#known = undefined;
    this.#deps.store.forgetIdentity(this.#deps.relayUrl);
    this.#deps.onLost();
  }

  /** Stores the name after a rename at the relay. */
  noteName(deviceName: string): void {
    if (this.#known !== undefined) this.#put({ ...this.#known, deviceName });
  }

  async #register(): Promise<Identity> {
    const { deviceName } = this.#deps;
    const identity = { ...(await this.#deps.register(deviceName)), deviceName };
    this.#put(identity);
    return identity;
  }

  #put(identity: Identity): void {
    this.#known = identity;
    this.#deps.store.keepIdentity(this.#deps.relayUrl, identity);
  }
}
