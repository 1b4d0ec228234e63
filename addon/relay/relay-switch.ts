import { oneAtATime } from "../concurrency/mutex.ts";
import { HttpConnection } from "./http-connection.ts";
import { IMPORTER_HEADERS, sayHello } from "./relay-client.ts";
import { parseRelayUrl } from "./relay-url.ts";
import { NO_RELAY, type RelaySide } from "./relay-side.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateHolder } from "../state/state-store.ts";

/** A person waits for the answer. */
const HELLO_LIMIT_MS = 10_000;

export interface RelaySwitchOptions {
  readonly holder: StateHolder;
  /** Makes what speaks to one relay; nothing is connected yet. */
  readonly open: (relayUrl: string) => RelaySide;
  /** Keeps the address for the next start. */
  readonly keepRelayUrl: (relayUrl: string) => void;
}

/** The relay that the importer speaks to now, if any, and the way to another one (rule N4). */
export class RelaySwitch {
  readonly #options: RelaySwitchOptions;
  readonly #alone = oneAtATime();
  #current: RelaySide;
  #isConnecting = false;
  #isClosed = false;

  /** Begins with the relay that the state names. */
  constructor(options: RelaySwitchOptions) {
    const { relayUrl } = options.holder.state.connection;
    this.#options = options;
    this.#current = relayUrl === null ? NO_RELAY : options.open(relayUrl);
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
    const { fixedBecause } = this.#options.holder.state.connection;
    if (fixedBecause !== null) throw new Error(fixedBecause);
    const relayUrl = readAddress(address);
    this.#assertIsFree();
    await assertIsRelay(relayUrl);
    await this.#alone(() => this.#change(relayUrl));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#alone(() => this.#current.close());
  }

  async #change(relayUrl: string): Promise<void> {
    const { holder, open, keepRelayUrl } = this.#options;
    this.#assertIsFree();
    keepRelayUrl(relayUrl);
    // First, so that nothing of the last relay's comes into the state afterwards.
    await this.#current.close();
    holder.changeRelay(relayUrl);
    this.#current = open(relayUrl);
    if (this.#isConnecting) this.#current.connect();
  }

  /** @throws {Error} while a run needs the relay, and when it is too late */
  #assertIsFree(): void {
    if (this.#isClosed) throw new Error("The importer is closing.");
    if (this.#options.holder.state.runs.length > 0) {
      throw new Error("An import is running. Change the relay when it is done.");
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
    await sayHello(http);
  } finally {
    http.close();
  }
}
