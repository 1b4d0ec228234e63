import type { Identity, IdentityStore } from "../state/stored-settings.ts";

export interface RelayIdentityDeps {
  /** In the one spelling that `parseRelayUrl` gives. */
  readonly relayUrl: string;
  readonly store: IdentityStore;
  readonly deviceName: string;
  /** Asks the relay for a new identity (rule P1). */
  readonly register: (deviceName: string) => Promise<{ deviceId: string; importerToken: string }>;
  /** Called when the relay no longer knew this importer: every app must pair again. */
  readonly onLost: () => void;
}

/**
 * The identity at one relay: found in the store, or registered on first use. Other relays' identities
 * stay in the store, so that coming back to one needs no new pairing (rule P9).
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

  /** The name that the relay has, or will get. */
  get deviceName(): string {
    return this.#known?.deviceName ?? this.#deps.deviceName;
  }

  /** Registers where that was not done yet; callers at the same time share one registration. */
  async token(): Promise<string> {
    if (this.#known !== undefined) return this.#known.importerToken;
    this.#registering ??= this.#register().finally(() => {
      this.#registering = undefined;
    });
    return (await this.#registering).importerToken;
  }

  /** Drops the identity that a 401 was answered to; one that was made since then stays. */
  forget(importerToken: string): void {
    if (this.#known?.importerToken !== importerToken) return;
    this.#known = undefined;
    this.#deps.store.forgetIdentity(this.#deps.relayUrl);
    this.#deps.onLost();
  }

  /** Notes the name that the relay got. */
  noteName(deviceName: string): void {
    if (this.#known !== undefined) this.#keep({ ...this.#known, deviceName });
  }

  async #register(): Promise<Identity> {
    const { deviceName } = this.#deps;
    const identity = { ...(await this.#deps.register(deviceName)), deviceName };
    this.#keep(identity);
    return identity;
  }

  #keep(identity: Identity): void {
    this.#known = identity;
    this.#deps.store.keepIdentity(this.#deps.relayUrl, identity);
  }
}
