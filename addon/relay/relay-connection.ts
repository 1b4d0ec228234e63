import pLimit from "p-limit";
import type { AppsAnswer } from "../../core/protocol/importer-api.ts";
import { CurrentRelay, type CurrentRelayDeps } from "./current-relay.ts";
import { findRelay } from "./open-calls.ts";
import type { PackagesRead } from "../../core/importer/package-list.ts";
import type { PairingCodes } from "../../core/importer/pairing-codes.ts";
import type { PairingRequestSync } from "./pairing-request-sync.ts";
import { RelayUnreachableError } from "../../core/importer/relay-errors.ts";
import type { MovedAnswer } from "./relay-identity.ts";
import type { ListedPackage, RelayPort, Reporter } from "./relay-port.ts";

export interface RelayConnectionDeps extends CurrentRelayDeps {
  /** Stores the address for the next start. */
  readonly keepRelayUrl: (relayUrl: string) => void;
}

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
    this.#current?.refresh();
  }

  get codes(): PairingCodes {
    return this.#relay().codes;
  }

  get pairingRequest(): PairingRequestSync {
    return this.#relay().request;
  }

  async readApps(): Promise<AppsAnswer> {
    return this.#relay().readApps();
  }

  async unpair(pairingId: string): Promise<void> {
    await this.#relay().unpair(pairingId);
  }

  /** Returns the name as the relay cleaned it. */
  async rename(deviceName: string): Promise<string> {
    return this.#relay().session.client.rename(deviceName);
  }

  async readPackages(): Promise<PackagesRead> {
    this.#deps.outbox.retryNow();
    return this.#relay().readPackages();
  }

  /**
   * Finds a package in the state, or else at the relay.
   * @throws {Error} with a sentence, when the relay has no such package for this computer
   */
  async findPackage(packageId: string): Promise<ListedPackage> {
    return this.#relay().findPackage(packageId);
  }

  /** Returns the port to the relay of an earlier report; undefined while another relay or identity is in use. */
  portTo({ relayUrl, deviceId }: Reporter): RelayPort | undefined {
    const port = this.#current?.session.client.asPort();
    return port?.relayUrl === relayUrl && port.deviceId === deviceId ? port : undefined;
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
    await this.#runExclusive(async () => this.#current?.close());
  }

  async #switch(relayUrl: string): Promise<void> {
    this.#assertCanSwitch();
    this.#deps.keepRelayUrl(relayUrl);
    await this.#current?.close();
    this.#current = this.#open(relayUrl);
    this.#deps.store.changeRelay(relayUrl);
    if (this.#isStarted) this.connect();
  }

  /**
   * Checks that the relay can be changed now.
   * @throws {Error} where a flag or variable fixes the address, during a run, and after closing
   */
  #assertCanSwitch(): void {
    const { connection, runs } = this.#deps.store.state;
    if (this.#isClosed) throw new Error("Soundferry is closing.");
    if (connection.fixedBecause !== null) throw new Error(connection.fixedBecause);
    if (runs.length > 0)
      throw new Error("An import is running. Change the relay when it has finished.");
  }

  #open(relayUrl: string): CurrentRelay {
    const relay = new CurrentRelay(this.#deps, relayUrl, () => relay === this.#current);
    return relay;
  }

  #relay(): CurrentRelay {
    if (this.#current !== undefined) return this.#current;
    throw new RelayUnreachableError("No relay is set. Enter its address in the panel.");
  }
}
