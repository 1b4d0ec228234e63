import type {
  AppsAnswer,
  ImportablePackage,
  PairedApp,
  PairingCodeAnswer,
  SocketMessage,
} from "../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { ColorTurns } from "../state/color-turns.ts";
import type { Pairing } from "../../core/panel/panel-pairing.ts";
import { Refresher, RetryLaterError } from "../state/refresher.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Outbox } from "./outbox.ts";
import type { PackagesRead } from "./package-list.ts";
import { PairingCodes } from "./pairing-codes.ts";
import { PairingRequestSync } from "./pairing-request-sync.ts";
import type { ListedPackage } from "./relay-port.ts";
import { RelaySession, type RelaySessionDeps } from "./relay-session.ts";

export interface CurrentRelayDeps extends Pick<
  RelaySessionDeps,
  "registrationKey" | "identities" | "timers" | "random" | "isOwnRelay"
> {
  /** Returns the code that people see instead of the relay's. */
  readonly replaceCode?: ((code: PairingCodeAnswer) => Promise<PairingCodeAnswer>) | undefined;
  readonly outbox: Outbox;
  readonly store: StateStore;
  readonly colorTurns: Pick<ColorTurns, "learn" | "known">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The wait before it is read how many packages of each app wait: they change several times in a moment. */
const COUNTS_WAIT_MS = 5000;

/** Everything that belongs to one relay; a switch replaces it. */
export class CurrentRelay {
  readonly session: RelaySession;
  /** The codes at this relay (rule P2). */
  readonly codes: PairingCodes;
  /** The app that waits for approval at this relay (rule P12). */
  readonly request: PairingRequestSync;
  readonly #deps: CurrentRelayDeps;
  readonly #isCurrent: () => boolean;
  readonly #apps: Refresher;
  readonly #packages: Refresher;
  /** A sentence about the last list, while it isn't whole (rule I7). */
  #listTrouble: string | null = null;
  #cancelCounting: (() => void) | undefined;
  /** Apps that had paired when the list was first read. */
  #pairedBefore: ReadonlySet<string> | undefined;
  /** An app that used a code, until the list of apps says which one it is. */
  #used: { readonly appName: string; readonly code: PairingCodeAnswer | null } | undefined;

  /**
   * @param relayUrl normalized by `parseRelayUrl`
   * @param isCurrent false once another relay has replaced this one: late answers are dropped
   */
  constructor(deps: CurrentRelayDeps, relayUrl: string, isCurrent: () => boolean) {
    this.#deps = deps;
    this.#isCurrent = isCurrent;
    const { store, replaceCode, timers, now } = deps;
    const onTrouble = (error: unknown) =>
      this.#store?.changeConnection({ trouble: sentenceOf(error) });
    this.session = new RelaySession({
      ...deps,
      relayUrl,
      deviceName: store.state.deviceName,
      listener: {
        onConnected: () => {
          this.#store?.changeConnection({ status: "connected", trouble: this.#listTrouble });
          deps.outbox.retryNow();
          this.refresh();
        },
        onNotification: (message) => this.#handle(message),
        onLost: (trouble) => this.#store?.changeConnection({ status: "offline", trouble }),
        onIdentityChange: ({ isOther }) => this.#noteIdentity(isOther),
      },
    });
    const { client } = this.session;
    const change = (changed: Partial<Pairing>) => this.#store?.changePairing(changed);
    this.codes = new PairingCodes({ client, replaceCode, change, timers, now });
    this.request = new PairingRequestSync({
      client,
      codes: this.codes,
      store: () => this.#store,
      onTrouble,
      timers,
    });
    this.#apps = new Refresher({
      read: () => this.#syncApps(),
      onTrouble: (error) => {
        this.#noteUsedByUnknown();
        onTrouble(error);
      },
      timers,
    });
    this.#packages = new Refresher({ read: () => this.#syncPackages(), onTrouble, timers });
  }

  /** Reads apps, packages and the pairing request again in the background. */
  refresh(): void {
    this.#apps.refresh();
    this.#packages.refresh();
    this.request.refresh();
  }

  async readApps(): Promise<AppsAnswer> {
    const [used, pairedBefore] = [this.#used, this.#pairedBefore];
    const answer = await this.session.client.apps();
    const { apps: known, pairing } = this.#deps.store.state;
    const ids = answer.apps.map((app) => app.pairing_id);
    const before = (this.#pairedBefore ??= new Set(ids));
    const newPairingIds = new Set(ids.filter((id) => !before.has(id)));
    this.#store?.changeApps(answer.apps, newPairingIds);
    // A list that was asked for before the code was used may not have the app yet.
    if (used !== undefined && used === this.#used) {
      this.#used = undefined;
      this.codes.noteUsed(used.code, lastPaired(answer.apps, used.appName));
    } else if (pairedBefore !== undefined && pairing.code !== null) {
      const user = unannouncedUser(pairing.code, known, answer.apps);
      if (user !== null) this.codes.noteUsed(pairing.code, user);
    }
    if (ids.length > 0) this.session.identity.notePaired();
    this.#clearTrouble();
    return answer;
  }

  async unpair(pairingId: string): Promise<void> {
    await this.session.client.unpair(pairingId);
    const { apps } = this.#deps.store.state;
    this.#store?.changeApps(apps.filter((app) => app.pairing_id !== pairingId));
  }

  /** Delivers pending reports before it reads the final list, so that the list reflects them (rule R2). */
  async readPackages(): Promise<PackagesRead> {
    const { outbox, colorTurns, now } = this.#deps;
    const { client, identity } = this.session;
    let answer = await client.packages();
    if (await outbox.flushSome(client.asPort())) answer = await client.packages();
    this.#listTrouble = answer.trouble ?? null;
    if (answer.packages.length > 0) identity.notePaired();
    else if (identity.newBecause !== null) await this.readApps();
    // First committed first.
    const learned = await colorTurns.learn("relay", answer.packages.toReversed());
    const diskTrouble = (await outbox.setAsideDamaged()) ?? learned;
    this.#store?.change({
      packages: answer.packages,
      packagesReadAtMs: now(),
      colorTurns: colorTurns.known,
      ...(diskTrouble !== null && { diskTrouble }),
    });
    this.#clearTrouble();
    return answer;
  }

  /**
   * Finds a package in the state, or else at the relay.
   * @throws {Error} with a sentence, when the relay has no such package for this computer
   */
  async findPackage(packageId: string): Promise<ListedPackage> {
    const isIt = (one: ImportablePackage) => one.package_id === packageId;
    const { packages } = this.#deps.store.state;
    const listed = packages.find(isIt) ?? (await this.readPackages()).packages.find(isIt);
    if (listed !== undefined) return { listed, relay: this.session.client.asPort() };
    throw new Error(`The relay has no package ${packageId} for this computer.`);
  }

  /** Closes every connection; later calls reject. */
  async close(): Promise<void> {
    this.#cancelCounting?.();
    await this.codes.close();
    await Promise.all([
      this.#apps.stop(),
      this.#packages.stop(),
      this.request.stop(),
      this.session.close(),
    ]);
  }

  /** The state store; undefined once another relay is the current one. */
  get #store(): StateStore | undefined {
    return this.#isCurrent() ? this.#deps.store : undefined;
  }

  #noteIdentity(isOther: boolean): void {
    const store = this.#store;
    if (store === undefined) return;
    if (isOther) {
      this.#pairedBefore = undefined;
      this.codes.noteUsed(store.state.pairing.code, null);
      store.forgetRead();
    }
    store.noteIdentity(this.session.identity);
  }

  #handle(message: SocketMessage): void {
    if (message.type === "packages.changed") {
      this.#packages.refresh();
      return this.#countLater();
    }
    if (message.type === "pairing.asked") return this.request.refresh();
    if (message.type === "code.used") {
      const { code } = this.#deps.store.state.pairing;
      this.#used = { appName: message.app_name, code };
    }
    this.#apps.refresh();
  }

  /** Reads the apps, with their waiting packages, after a moment. */
  #countLater(): void {
    this.#cancelCounting ??= this.#deps.timers.after(COUNTS_WAIT_MS, () => {
      this.#cancelCounting = undefined;
      this.#apps.refresh();
    });
  }

  /** Records that a code was used although the apps can't be read, so that the app isn't known yet. */
  #noteUsedByUnknown(): void {
    if (this.#used === undefined) return;
    this.codes.noteUsed(this.#used.code, null);
    this.#used = { ...this.#used, code: null };
  }

  async #syncApps(): Promise<void> {
    await this.readApps();
    // Read the name only now: the person may have renamed the computer meanwhile (rule P8).
    const { deviceName } = this.#deps.store.state;
    if (this.session.identity.deviceName !== deviceName) {
      const known = await this.session.client.rename(deviceName);
      this.#store?.change({ deviceName: known });
    }
  }

  async #syncPackages(): Promise<void> {
    await this.readPackages();
    const waitMs = await this.#deps.outbox.waitMs(this.session.client.reporter);
    // Fail, so that the refresher retries until every report is delivered (rule R2).
    if (waitMs !== undefined)
      throw new RetryLaterError("Some results have not reached the relay yet.", waitMs);
  }

  #clearTrouble(): void {
    const isConnected = this.#deps.store.state.connection.status === "connected";
    if (isConnected) this.#store?.changeConnection({ trouble: this.#listTrouble });
  }
}

/** Returns the app of a name that paired last. */
function lastPaired(apps: readonly PairedApp[], appName: string): Pairing["usedBy"] {
  return latestOf(apps.filter(({ app_name }) => app_name === appName));
}

/**
 * Returns the app that used a code while no notification could arrive: it paired since the code was made.
 * @param before the list of apps when it was last read
 */
function unannouncedUser(
  code: PairingCodeAnswer,
  before: readonly PairedApp[],
  apps: readonly PairedApp[],
): Pairing["usedBy"] {
  // All these times are on the relay's clock.
  const madeAtMs = Date.parse(code.expires_at) - code.expires_in * 1000;
  const known = new Map(before.map(({ pairing_id, paired_at }) => [pairing_id, paired_at]));
  return latestOf(
    apps.filter(
      ({ pairing_id, paired_at }) =>
        known.get(pairing_id) !== paired_at && Date.parse(paired_at) >= madeAtMs,
    ),
  );
}

function latestOf(apps: readonly PairedApp[]): Pairing["usedBy"] {
  const [app] = apps.toSorted(
    (one, other) => Date.parse(other.paired_at) - Date.parse(one.paired_at),
  );
  return app === undefined ? null : { name: app.app_name, pairingId: app.pairing_id };
}
