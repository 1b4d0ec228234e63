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
import type { StateHolder } from "../state/state-store.ts";
import type { Timers } from "../concurrency/timers.ts";

export interface RelayMirrorOptions {
  readonly client: RelayClient;
  readonly identity: RelayIdentity;
  readonly outbox: Outbox;
  readonly holder: StateHolder;
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Keeps the state's apps and packages as the relay has them, and tells the relay what it waits for. */
export class RelayMirror {
  readonly #options: RelayMirrorOptions;
  readonly #apps: Refresher;
  readonly #packages: Refresher;
  /** Apps that had paired when the list was first read. */
  #pairedBefore: ReadonlySet<string> | undefined;

  constructor(options: RelayMirrorOptions) {
    this.#options = options;
    const { timers } = options;
    const onTrouble = (error: unknown) =>
      options.holder.changeConnection({ trouble: sentenceOf(error) });
    this.#apps = new Refresher({ read: () => this.#greet(), onTrouble, timers });
    this.#packages = new Refresher({ read: () => this.#catchUp(), onTrouble, timers });
  }

  /** Reads everything anew, soon. */
  refresh(): void {
    this.#apps.ask();
    this.#packages.ask();
  }

  /** Reads anew what a ring says has changed. */
  hear(message: SocketMessage): void {
    switch (message.type) {
      case "packages.changed":
        this.#packages.ask();
        break;
      case "apps.changed":
        this.#apps.ask();
        break;
      case "code.used":
        this.#options.holder.changePairing({ code: null, usedBy: message.app_name });
        this.#apps.ask();
        break;
    }
  }

  async readApps(): Promise<AppsAnswer> {
    const { client, holder } = this.#options;
    const answer = await client.apps();
    const { mustPairAgain } = holder.state.connection;
    const ids = answer.apps.map((app) => app.pairing_id);
    const before = (this.#pairedBefore ??= new Set(ids));
    const newPairingIds = new Set(ids.filter((id) => !before.has(id)));
    holder.changeApps(answer.apps, newPairingIds);
    this.#noteWell({ mustPairAgain: mustPairAgain && answer.apps.length === 0 });
    return answer;
  }

  /** Reads the packages; reports that still wait are delivered, so that the list is true (rule R2). */
  async readPackages(): Promise<PackagesAnswer> {
    const { client, outbox, holder, now } = this.#options;
    let answer = await client.packages();
    if ((await outbox.packageIds(client)).length > 0) {
      await outbox.flush(client);
      answer = await client.packages();
    }
    holder.change({ packages: answer.packages, packagesReadAtMs: now() });
    this.#noteWell({});
    return answer;
  }

  async close(): Promise<void> {
    await Promise.all([this.#apps.stop(), this.#packages.stop()]);
  }

  async #greet(): Promise<void> {
    const { client, identity, holder } = this.#options;
    await this.readApps();
    // Read only now: the person may have renamed the computer meanwhile.
    const { deviceName } = holder.state;
    // The name was changed in the settings since the relay heard it (rule P8).
    if (identity.deviceName !== deviceName) {
      holder.change({ deviceName: await client.rename(deviceName) });
    }
  }

  async #catchUp(): Promise<void> {
    await this.readPackages();
    const { outbox, client } = this.#options;
    const left = await outbox.packageIds(client);
    // As a failure it is tried again until the relay has them all (rule R2).
    if (left.length > 0) throw new Error("Some results have not reached the relay yet.");
  }

  #noteWell(more: { readonly mustPairAgain?: boolean }): void {
    const { holder } = this.#options;
    const isConnected = holder.state.connection.status === "connected";
    holder.changeConnection({ ...more, ...(isConnected && { trouble: null }) });
  }
}
