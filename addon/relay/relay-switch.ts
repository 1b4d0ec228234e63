import { createMutex } from "../concurrency/mutex.ts";
import { HttpConnection } from "./http-connection.ts";
import { IMPORTER_HEADERS, callHello } from "./relay-client.ts";
import { parseRelayUrl } from "./relay-url.ts";
import { NO_RELAY, type RelaySide } from "./relay-side.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateStore } from "../state/state-store.ts";

/** A person waits for the answer. */
const HELLO_LIMIT_MS = 10_000;

export interface RelaySwitchDeps {
  readonly store: StateStore;
  /** Makes what speaks to one relay; nothing is connected yet. */
  readonly open: (relayUrl: string) => RelaySide;
  /** Keeps the address for the next start. */
  readonly keepRelayUrl: (relayUrl: string) => void;
}

/** The relay that the importer speaks to now, if any, and the way to another one (rule N4). */
export class RelaySwitch {
  readonly #deps: RelaySwitchDeps;
  readonly #runExclusive = createMutex();
  #current: RelaySide;
  #isConnecting = false;
  #isClosed = false;

  /** Begins with the relay that the state names. */
  constructor(deps: RelaySwitchDeps) {
    const { relayUrl } = deps.store.state.connection;
    this.#deps = deps;
    this.#current = relayUrl === null ? NO_RELAY : deps.open(relayUrl);
  }

  get current(): RelaySide {
    return this.#current;
  }

  /** Connects to this relay in the background, and to each that follows. */
  connect(): void {
    this.#isConnecting = true;
    this.#current.connect();
  }

  /**
   * Goes over to the relay at an address, once it has said that it is one.
   * @param address as a person writes it
   * @throws {Error} with a sentence when it can't be used, or is not to be changed now
   */
  async goTo(address: string): Promise<void> {
    const { fixedBecause } = this.#deps.store.state.connection;
    if (fixedBecause !== null) throw new Error(fixedBecause);
    const relayUrl = readAddress(address);
    this.#assertIsFree();
    await assertIsRelay(relayUrl);
    await this.#runExclusive(() => this.#change(relayUrl));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#runExclusive(() => this.#current.close());
  }

  async #change(relayUrl: string): Promise<void> {
    const { store, open, keepRelayUrl } = this.#deps;
    this.#assertIsFree();
    keepRelayUrl(relayUrl);
    // First, so that nothing of the last relay's comes into the state afterwards.
    await this.#current.close();
    store.changeRelay(relayUrl);
    this.#current = open(relayUrl);
    if (this.#isConnecting) this.#current.connect();
  }

  /** @throws {Error} while a run needs the relay, and when it is too late */
  #assertIsFree(): void {
    if (this.#isClosed) throw new Error("Soundferry is closing.");
    if (this.#deps.store.state.runs.length > 0) {
      throw new Error("An import is running. Change the relay when it has finished.");
    }
  }
}

function readAddress(text: string): string {
  try {
    return parseRelayUrl(text);
  } catch (error) {
    throw new Error(`This ${sentenceOf(error)}`, { cause: error });
  }
}

/** @throws {Error} with a sentence that says what is wrong, unless a relay that can be used answers */
async function assertIsRelay(relayUrl: string): Promise<void> {
  const http = new HttpConnection({
    baseUrl: relayUrl,
    headers: IMPORTER_HEADERS,
    answerDeadlineMs: HELLO_LIMIT_MS,
  });
  try {
    await callHello(http);
  } finally {
    http.close();
  }
}
