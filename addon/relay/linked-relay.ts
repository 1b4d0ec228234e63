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
import { RelayMirror } from "./relay-sync.ts";
import type { RelaySide } from "./relay-side.ts";
import type { StateHolder } from "../state/state-store.ts";
import type { Timers } from "../concurrency/timers.ts";

export interface LinkedRelayOptions {
  /** In the one spelling that `parseRelayUrl` gives. */
  readonly relayUrl: string;
  readonly registrationKey: string | undefined;
  /** Gives the code that people are shown in place of one from the relay. */
  readonly replaceCode?: ((code: PairingCodeAnswer) => Promise<PairingCodeAnswer>) | undefined;
  readonly identities: IdentityStore;
  readonly outbox: Outbox;
  readonly holder: StateHolder;
  readonly timers: Timers;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One relay, with the connection to it and what the state knows of it. */
export class LinkedRelay implements RelaySide {
  readonly #options: LinkedRelayOptions;
  readonly #link: RelayLink;
  readonly #mirror: RelayMirror;
  #newCode: Promise<PairingCodeAnswer> | undefined;

  constructor(options: LinkedRelayOptions) {
    const { holder, outbox, timers, now } = options;
    this.#options = options;
    this.#link = new RelayLink({
      ...options,
      deviceName: holder.state.deviceName,
      listener: {
        onConnected: () => {
          holder.changeConnection({ status: "connected", trouble: null });
          this.#mirror.refresh();
        },
        onRing: (message) => this.#mirror.hear(message),
        onLost: (trouble) => holder.changeConnection({ status: "offline", trouble }),
        onIdentityLost: () => holder.changeConnection({ mustPairAgain: true }),
      },
    });
    const { client, identity } = this.#link;
    this.#mirror = new RelayMirror({ client, identity, outbox, holder, timers, now });
  }

  connect(): void {
    this.#options.holder.changeConnection({ status: "connecting" });
    this.#link.connect();
  }

  refresh(): void {
    this.#mirror.refresh();
  }

  /** Who asks while another does gets the same code: each new one ends the one before. */
  pairingCode(): Promise<PairingCodeAnswer> {
    this.#newCode ??= this.#askForCode().finally(() => {
      this.#newCode = undefined;
    });
    return this.#newCode;
  }

  readApps(): Promise<AppsAnswer> {
    return this.#mirror.readApps();
  }

  async unpair(pairingId: string): Promise<void> {
    const { holder } = this.#options;
    await this.#link.client.unpair(pairingId);
    holder.changeApps(holder.state.apps.filter((app) => app.pairing_id !== pairingId));
  }

  rename(deviceName: string): Promise<string> {
    return this.#link.client.rename(deviceName);
  }

  readPackages(): Promise<PackagesAnswer> {
    return this.#mirror.readPackages();
  }

  async findPackage(packageId: string): Promise<PackageSource> {
    const { packages } = this.#options.holder.state;
    const isIt = (one: ImportablePackage) => one.package_id === packageId;
    const found = packages.find(isIt) ?? (await this.readPackages()).packages.find(isIt);
    if (found === undefined) {
      throw new Error(`The relay has no package ${packageId} for this computer.`);
    }
    return relayPackage(found, this.#link.client);
  }

  async close(): Promise<void> {
    await Promise.all([this.#mirror.close(), this.#link.close()]);
  }

  async #askForCode(): Promise<PairingCodeAnswer> {
    const { holder, now, replaceCode } = this.#options;
    const given = await this.#link.client.pairingCode();
    const code = replaceCode === undefined ? given : await replaceCode(given);
    holder.change({ pairing: { code, readAtMs: now(), usedBy: null } });
    return code;
  }
}
