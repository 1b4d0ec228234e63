import type {
  AppsAnswer,
  PackagesAnswer,
  SocketMessage,
} from "../../core/protocol/importer-api.ts";
import type { RelayIdentity } from "./relay-identity.ts";
import type { Outbox } from "./outbox.ts";
import type { RelayClient } from "./relay-client.ts";
import { Refresher } from "../concurrency/refresher.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Timers } from "../concurrency/timers.ts";

export interface RelaySyncDeps {
  readonly client: RelayClient;
  readonly identity: RelayIdentity;
  readonly outbox: Outbox;
  readonly store: StateStore;
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Keeps the state's apps and packages as the relay has them, and tells the relay what it waits for. */
export class RelaySync {
  readonly #deps: RelaySyncDeps;
  readonly #apps: Refresher;
  readonly #packages: Refresher;
  /** Apps that had paired when the list was first read. */
  #pairedBefore: ReadonlySet<string> | undefined;

  constructor(deps: RelaySyncDeps) {
    this.#deps = deps;
    const { timers } = deps;
    const onTrouble = (error: unknown) =>
      deps.store.changeConnection({ trouble: sentenceOf(error) });
    this.#apps = new Refresher({ read: () => this.#greet(), onTrouble, timers });
    this.#packages = new Refresher({ read: () => this.#catchUp(), onTrouble, timers });
  }

  /** Reads everything anew, soon. */
  refresh(): void {
    this.#apps.ask();
    this.#packages.ask();
  }

  /** Reads anew what a ring says has changed. */
  handle(message: SocketMessage): void {
    switch (message.type) {
      case "packages.changed":
        this.#packages.ask();
        break;
      case "apps.changed":
        this.#apps.ask();
        break;
      case "code.used":
        this.#deps.store.changePairing({ code: null, usedBy: message.app_name });
        this.#apps.ask();
        break;
    }
  }

  async readApps(): Promise<AppsAnswer> {
    const { client, store } = this.#deps;
    const answer = await client.apps();
    const { mustPairAgain } = store.state.connection;
    const ids = answer.apps.map((app) => app.pairing_id);
    const before = (this.#pairedBefore ??= new Set(ids));
    const newPairingIds = new Set(ids.filter((id) => !before.has(id)));
    store.changeApps(answer.apps, newPairingIds);
    this.#noteWell({ mustPairAgain: mustPairAgain && answer.apps.length === 0 });
    return answer;
  }

  /** Reads the packages; reports that still wait are delivered, so that the list is true (rule R2). */
  async readPackages(): Promise<PackagesAnswer> {
    const { client, outbox, store, now } = this.#deps;
    let answer = await client.packages();
    if ((await outbox.packageIds(client)).length > 0) {
      await outbox.flush(client);
      answer = await client.packages();
    }
    store.change({ packages: answer.packages, packagesReadAtMs: now() });
    this.#noteWell({});
    return answer;
  }

  async close(): Promise<void> {
    await Promise.all([this.#apps.stop(), this.#packages.stop()]);
  }

  async #greet(): Promise<void> {
    const { client, identity, store } = this.#deps;
    await this.readApps();
    // Read only now: the person may have renamed the computer meanwhile.
    const { deviceName } = store.state;
    // The name was changed in the settings since the relay heard it (rule P8).
    if (identity.deviceName !== deviceName) {
      store.change({ deviceName: await client.rename(deviceName) });
    }
  }

  async #catchUp(): Promise<void> {
    await this.readPackages();
    const { outbox, client } = this.#deps;
    const left = await outbox.packageIds(client);
    // As a failure it is tried again until the relay has them all (rule R2).
    if (left.length > 0) throw new Error("Some results have not reached the relay yet.");
  }

  #noteWell(more: { readonly mustPairAgain?: boolean }): void {
    const { store } = this.#deps;
    const isConnected = store.state.connection.status === "connected";
    store.changeConnection({ ...more, ...(isConnected && { trouble: null }) });
  }
}
