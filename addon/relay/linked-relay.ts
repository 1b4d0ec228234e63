import type {
  AppsAnswer,
  ImportablePackage,
  PackagesAnswer,
  PairingCodeAnswer,
} from "../../core/protocol/importer-api.ts";
import type { IdentityStore } from "./relay-identity.ts";
import type { Outbox } from "./outbox.ts";
import type { PackageSource } from "../packages/package-source.ts";
import { relayPackage } from "../packages/relay-package.ts";
import { RelayLink } from "./relay-link.ts";
import { RelaySync } from "./relay-sync.ts";
import type { RelaySide } from "./relay-side.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Timers } from "../concurrency/timers.ts";

export interface LinkedRelayDeps {
  /** In the one spelling that `parseRelayUrl` gives. */
  readonly relayUrl: string;
  readonly registrationKey: string | undefined;
  /** Gives the code that people are shown in place of one from the relay. */
  readonly replaceCode?: ((code: PairingCodeAnswer) => Promise<PairingCodeAnswer>) | undefined;
  readonly identities: IdentityStore;
  readonly outbox: Outbox;
  readonly store: StateStore;
  readonly timers: Timers;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One relay, with the connection to it and what the state knows of it. */
export class LinkedRelay implements RelaySide {
  readonly #deps: LinkedRelayDeps;
  readonly #link: RelayLink;
  readonly #sync: RelaySync;
  #newCode: Promise<PairingCodeAnswer> | undefined;

  constructor(deps: LinkedRelayDeps) {
    const { store, outbox, timers, now } = deps;
    this.#deps = deps;
    this.#link = new RelayLink({
      ...deps,
      deviceName: store.state.deviceName,
      listener: {
        onConnected: () => {
          store.changeConnection({ status: "connected", trouble: null });
          this.#sync.refresh();
        },
        onNotification: (message) => this.#sync.handle(message),
        onLost: (trouble) => store.changeConnection({ status: "offline", trouble }),
        onIdentityLost: () => store.changeConnection({ mustPairAgain: true }),
      },
    });
    const { client, identity } = this.#link;
    this.#sync = new RelaySync({ client, identity, outbox, store, timers, now });
  }

  connect(): void {
    this.#deps.store.changeConnection({ status: "connecting" });
    this.#link.connect();
  }

  refresh(): void {
    this.#sync.refresh();
  }

  /** Who asks while another does gets the same code: each new one ends the one before. */
  pairingCode(): Promise<PairingCodeAnswer> {
    this.#newCode ??= this.#askForCode().finally(() => {
      this.#newCode = undefined;
    });
    return this.#newCode;
  }

  readApps(): Promise<AppsAnswer> {
    return this.#sync.readApps();
  }

  async unpair(pairingId: string): Promise<void> {
    const { store } = this.#deps;
    await this.#link.client.unpair(pairingId);
    store.changeApps(store.state.apps.filter((app) => app.pairing_id !== pairingId));
  }

  rename(deviceName: string): Promise<string> {
    return this.#link.client.rename(deviceName);
  }

  readPackages(): Promise<PackagesAnswer> {
    return this.#sync.readPackages();
  }

  async findPackage(packageId: string): Promise<PackageSource> {
    const { packages } = this.#deps.store.state;
    const isIt = (one: ImportablePackage) => one.package_id === packageId;
    const found = packages.find(isIt) ?? (await this.readPackages()).packages.find(isIt);
    if (found === undefined) {
      throw new Error(`The relay has no package ${packageId} for this computer.`);
    }
    return relayPackage(found, this.#link.client);
  }

  async close(): Promise<void> {
    await Promise.all([this.#sync.close(), this.#link.close()]);
  }

  async #askForCode(): Promise<PairingCodeAnswer> {
    const { store, now, replaceCode } = this.#deps;
    const given = await this.#link.client.pairingCode();
    const code = replaceCode === undefined ? given : await replaceCode(given);
    store.change({ pairing: { code, readAtMs: now(), usedBy: null } });
    return code;
  }
}
