import pLimit from "p-limit";
import type {
  AppsAnswer,
  ImportablePackage,
  PackagesAnswer,
  SocketMessage,
} from "../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { Refresher, RetryLaterError } from "../state/refresher.ts";
import type { StateStore } from "../state/state-store.ts";
import { lastPaired, unannouncedUser } from "./code-user.ts";
import { findRelay } from "./open-calls.ts";
import { RelayUnreachableError } from "./relay-errors.ts";
import { openPairing } from "./open-pairing.ts";
import type { PairingCodes } from "./pairing-codes.ts";
import type { PairingRequestSync } from "./pairing-request-sync.ts";
import type { ListedPackage } from "./relay-port.ts";
import type { CurrentRelay } from "./current-relay.ts";
import type { RelayConnectionDeps } from "./relay-connection-deps.ts";
import type { MovedAnswer } from "./relay-identity.ts";
import { RelaySession } from "./relay-session.ts";

/**
 * The importer's connection to its relay, at first the one in the state, if any (rule N4). Keeps the
 * state up to date: what a call reads is in the state when it resolves. Calls reject with `RelayError`
 * or `RelayUnreachableError`, also where no relay is set.
 */
export class RelayConnection {
  readonly #deps: RelayConnectionDeps;
  readonly #runExclusive = pLimit(1);
  #current: CurrentRelay | undefined;
  #isStarted = false;
  #isClosed = false;

  constructor(deps: RelayConnectionDeps) {
    const { relayUrl } = deps.store.state.connection;
    this.#deps = deps;
    this.#current = relayUrl === null ? undefined : this.#open(relayUrl);
  }

  /** Connects in the background, also to relays that are set later. */
  connect(): void {
    this.#isStarted = true;
    if (this.#current === undefined) return;
    this.#deps.store.changeConnection({ status: "connecting" });
    this.#current.session.connect();
  }

  /** Reads apps and packages again in the background. */
  refresh(): void {
    this.#current?.apps.refresh();
    this.#current?.packages.refresh();
    this.#current?.request.refresh();
  }

  /** The codes at the current relay (rule P2). */
  get codes(): PairingCodes {
    return this.#relay().codes;
  }

  /** The app that waits for a yes at the current relay (rule P12). */
  get pairingRequest(): PairingRequestSync {
    return this.#relay().request;
  }

  async readApps(): Promise<AppsAnswer> {
    return this.#readApps(this.#relay());
  }

  async unpair(pairingId: string): Promise<void> {
    const relay = this.#relay();
    await relay.session.client.unpair(pairingId);
    const { apps } = this.#deps.store.state;
    this.#store(relay)?.changeApps(apps.filter((app) => app.pairing_id !== pairingId));
  }

  /** Returns the name as the relay cleaned it. */
  async rename(deviceName: string): Promise<string> {
    return this.#relay().session.client.rename(deviceName);
  }

  async readPackages(): Promise<PackagesAnswer> {
    this.#deps.outbox.retryNow();
    return this.#readPackages(this.#relay());
  }

  /** @throws {Error} with a sentence, when the relay has no such package for this computer */
  async findPackage(packageId: string): Promise<ListedPackage> {
    const relay = this.#relay();
    const isIt = (one: ImportablePackage) => one.package_id === packageId;
    const { packages } = this.#deps.store.state;
    const listed = packages.find(isIt) ?? (await this.#readPackages(relay)).packages.find(isIt);
    if (listed !== undefined) return { listed, relay: relay.session.client.asPort() };
    throw new Error(`The relay has no package ${packageId} for this computer.`);
  }

  /**
   * Switches to the relay at an address, once a compatible one has answered there.
   * @param address as a person types it
   * @throws {Error} with a sentence when it can't be used, or can't be changed now
   */
  async switchTo(address: string): Promise<void> {
    this.#assertCanSwitch();
    const relayUrl = await findRelay(address);
    await this.#runExclusive(() => this.#switch(relayUrl));
  }

  /**
   * Answers whether the relay is the one that was at `connection.movedFrom` (rule P9).
   * @throws {QuestionGoneError} when that isn't asked
   * @throws {RelayUnreachableError} when it doesn't answer, or another one does
   */
  async answerMoved(answer: MovedAnswer): Promise<void> {
    await this.#relay().session.answerMoved(answer);
  }

  /** Closes every connection; later calls reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#runExclusive(() => this.#closeCurrent());
  }

  async #switch(relayUrl: string): Promise<void> {
    this.#assertCanSwitch();
    this.#deps.keepRelayUrl(relayUrl);
    await this.#closeCurrent();
    this.#current = this.#open(relayUrl);
    this.#deps.store.changeRelay(relayUrl);
    if (this.#isStarted) this.connect();
  }

  /** @throws {Error} where a flag or variable fixes the address, during a run, and after closing */
  #assertCanSwitch(): void {
    const { connection, runs } = this.#deps.store.state;
    if (this.#isClosed) throw new Error("Soundferry is closing.");
    if (connection.fixedBecause !== null) throw new Error(connection.fixedBecause);
    if (runs.length > 0)
      throw new Error("An import is running. Change the relay when it has finished.");
  }

  #open(relayUrl: string): CurrentRelay {
    const { store, replaceCode, timers, now } = this.#deps;
    const onTrouble = (error: unknown) =>
      this.#store(relay)?.changeConnection({ trouble: sentenceOf(error) });
    const session = new RelaySession({
      ...this.#deps,
      relayUrl,
      deviceName: store.state.deviceName,
      listener: {
        onConnected: () => {
          this.#store(relay)?.changeConnection({ status: "connected", trouble: null });
          this.#deps.outbox.retryNow();
          this.refresh();
        },
        onNotification: (message) => this.#handle(message, relay),
        onLost: (trouble) => this.#store(relay)?.changeConnection({ status: "offline", trouble }),
        onIdentityChange: ({ isOther }) => this.#noteIdentity(relay, isOther),
      },
    });
    const relay: CurrentRelay = {
      session,
      ...openPairing({
        client: session.client,
        replaceCode,
        store: () => this.#store(relay),
        onTrouble,
        timers,
        now,
      }),
      apps: new Refresher({
        read: () => this.#syncApps(relay),
        onTrouble: (error) => {
          this.#noteUsedByUnknown(relay);
          onTrouble(error);
        },
        timers,
      }),
      packages: new Refresher({ read: () => this.#syncPackages(relay), onTrouble, timers }),
    };
    return relay;
  }

  async #closeCurrent(): Promise<void> {
    const old = this.#current;
    await old?.codes.close();
    await Promise.all([
      old?.apps.stop(),
      old?.packages.stop(),
      old?.request.stop(),
      old?.session.close(),
    ]);
  }

  #relay(): CurrentRelay {
    if (this.#current !== undefined) return this.#current;
    throw new RelayUnreachableError("No relay is set. Enter its address in the panel.");
  }

  /** Returns the state store only for the current relay: late answers of an earlier one are dropped. */
  #store(relay: CurrentRelay): StateStore | undefined {
    return relay === this.#current ? this.#deps.store : undefined;
  }

  #noteIdentity(relay: CurrentRelay, isOther: boolean): void {
    const store = this.#store(relay);
    if (store === undefined) return;
    if (isOther) {
      delete relay.pairedBefore;
      relay.codes.noteUsed(store.state.pairing.code, null);
      store.forgetRead();
    }
    store.noteIdentity(relay.session.identity);
  }

  #handle(message: SocketMessage, relay: CurrentRelay): void {
    if (message.type === "packages.changed") return relay.packages.refresh();
    if (message.type === "pairing.asked") return relay.request.refresh();
    if (message.type === "code.used") {
      const { code } = this.#deps.store.state.pairing;
      relay.used = { appName: message.app_name, code };
    }
    relay.apps.refresh();
  }

  async #readApps(relay: CurrentRelay): Promise<AppsAnswer> {
    const { used, pairedBefore } = relay;
    const answer = await relay.session.client.apps();
    const { apps: known, pairing } = this.#deps.store.state;
    const ids = answer.apps.map((app) => app.pairing_id);
    const before = (relay.pairedBefore ??= new Set(ids));
    const newPairingIds = new Set(ids.filter((id) => !before.has(id)));
    this.#store(relay)?.changeApps(answer.apps, newPairingIds);
    // A list that was asked for before the code was used may not have the app yet.
    if (used !== undefined && used === relay.used) {
      relay.used = undefined;
      relay.codes.noteUsed(used.code, lastPaired(answer.apps, used.appName));
    } else if (pairedBefore !== undefined && pairing.code !== null) {
      const user = unannouncedUser(pairing.code, known, answer.apps);
      if (user !== null) relay.codes.noteUsed(pairing.code, user);
    }
    if (ids.length > 0) relay.session.identity.notePaired();
    this.#clearTrouble(relay);
    return answer;
  }

  /** The apps can't be read, so the app that used a code isn't known yet. */
  #noteUsedByUnknown(relay: CurrentRelay): void {
    if (relay.used === undefined) return;
    relay.codes.noteUsed(relay.used.code, null);
    relay.used = { ...relay.used, code: null };
  }

  /** Delivers pending reports before it reads the final list, so that the list reflects them (rule R2). */
  async #readPackages(relay: CurrentRelay): Promise<PackagesAnswer> {
    const { outbox, colorTurns, now } = this.#deps;
    const { client } = relay.session;
    let answer = await client.packages();
    if (await outbox.flushSome(client.asPort())) answer = await client.packages();
    if (answer.packages.length > 0) relay.session.identity.notePaired();
    else if (relay.session.identity.newBecause !== null) await this.#readApps(relay);
    // In the order of commit.
    const learned = await colorTurns.learn("relay", answer.packages.toReversed());
    const diskTrouble = (await outbox.setAsideDamaged()) ?? learned;
    this.#store(relay)?.change({
      packages: answer.packages,
      packagesReadAtMs: now(),
      colorTurns: colorTurns.known,
      ...(diskTrouble !== null && { diskTrouble }),
    });
    this.#clearTrouble(relay);
    return answer;
  }

  async #syncApps(relay: CurrentRelay): Promise<void> {
    await this.#readApps(relay);
    // Read the name only now: the person may have renamed the computer meanwhile (rule P8).
    const { deviceName } = this.#deps.store.state;
    if (relay.session.identity.deviceName !== deviceName) {
      const known = await relay.session.client.rename(deviceName);
      this.#store(relay)?.change({ deviceName: known });
    }
  }

  async #syncPackages(relay: CurrentRelay): Promise<void> {
    await this.#readPackages(relay);
    const waitMs = await this.#deps.outbox.waitMs(relay.session.client.reporter);
    // Fail, so that the refresher retries until every report is delivered (rule R2).
    if (waitMs !== undefined)
      throw new RetryLaterError("Some results have not reached the relay yet.", waitMs);
  }

  #clearTrouble(relay: CurrentRelay): void {
    const isConnected = this.#deps.store.state.connection.status === "connected";
    if (isConnected) this.#store(relay)?.changeConnection({ trouble: null });
  }
}
