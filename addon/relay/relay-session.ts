import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import type { IdentityStore } from "../state/stored-settings.ts";
import { SettingsError } from "../../core/settings.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { DiskError } from "../disk/disk-error.ts";
import { type MovedAnswer, RelayIdentity, type RelayIdentityDeps } from "./relay-identity.ts";
import type { Timers } from "../timers.ts";
import { NotificationSocket } from "./notification-socket.ts";
import { HttpConnection } from "./http-connection.ts";
import { registerImporter, SpokenApi } from "./open-calls.ts";
import { RelayClient } from "./relay-client.ts";
import { RelayError, RelayUnreachableError } from "../../core/importer/relay-errors.ts";
import { networkTrouble } from "./relay-errors.ts";

export interface RelaySessionDeps {
  /** The relay's address, normalized by `parseRelayUrl`. */
  readonly relayUrl: string;
  readonly registrationKey: string | undefined;
  readonly deviceName: string;
  readonly identities: IdentityStore;
  readonly timers: Timers;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Set while this process runs the relay (see `RelayIdentityDeps`). */
  readonly isOwnRelay?: boolean | undefined;
  readonly listener: RelaySessionListener;
}

export interface RelaySessionListener {
  /** Called after every connect; earlier notifications may have been missed. */
  readonly onConnected: () => void;
  readonly onNotification: (message: SocketMessage) => void;
  /** Called with a sentence when a connection is lost or an attempt fails. */
  readonly onLost: (trouble: string) => void;
  /** Called when another identity is in use, or something about it may have changed. */
  readonly onIdentityChange: RelayIdentityDeps["onChange"];
}

/** One identity at one relay, with the client and the notification socket that use its token. */
export class RelaySession {
  readonly client: RelayClient;
  readonly identity: RelayIdentity;
  readonly #api = new SpokenApi();
  readonly #http: HttpConnection;
  readonly #socket: NotificationSocket;
  readonly #listener: RelaySessionListener;
  #isConnected = false;

  constructor(deps: RelaySessionDeps) {
    const { relayUrl, registrationKey, deviceName, listener } = deps;
    this.#listener = listener;
    this.#http = new HttpConnection({
      baseUrl: relayUrl,
      headers: this.#api.headers,
      isKnown: () => this.identity.key !== undefined,
      hello: (over) => this.#api.hello(this.#http, over),
    });
    this.identity = new RelayIdentity({
      relayUrl,
      deviceName,
      store: deps.identities,
      isOwnRelay: deps.isOwnRelay,
      now: () => deps.timers.now(),
      hello: () => this.#api.hello(this.#http),
      register: async (name, instance) => {
        const request = { deviceName: name, registrationKey, instance };
        const answer = await registerImporter(this.#http, request);
        return { deviceId: answer.device_id, importerToken: answer.importer_token };
      },
      onChange: (change) => {
        listener.onIdentityChange(change);
        // The earlier identity's connection gets no notifications for the next one.
        if (change.isOther) this.#socket.reconnect();
      },
    });
    this.client = new RelayClient(this.#http, this.identity);
    this.#socket = new NotificationSocket({
      timers: deps.timers,
      random: deps.random,
      prepare: () => this.#prepareSocket(),
      onConnected: () => {
        this.#isConnected = true;
        listener.onConnected();
      },
      onNotification: listener.onNotification,
      onLost: (error) => this.#lose(error),
    });
  }

  /** Connects the socket in the background, and reconnects after every loss. */
  connect(): void {
    this.#socket.connect();
  }

  /** Answers whether the relay moved here, and connects at once. */
  async answerMoved(answer: MovedAnswer): Promise<void> {
    try {
      await this.identity.answerMoved(answer);
    } finally {
      this.#socket.hurry();
    }
  }

  /** Closes every connection; later calls reject. */
  async close(): Promise<void> {
    await this.#socket.close();
    this.#http.close();
  }

  async #prepareSocket() {
    const { token, instance } = await this.identity.credential();
    return {
      agent: this.#http.agentTo(instance),
      url: this.#http.socketUrl("/importer/socket"),
      headers: { ...this.#api.headers(), authorization: `Bearer ${token}` },
    };
  }

  /** Makes a call only for its refusal: a socket's refusal has no code that says whether the relay knows the token. */
  async #askForRefusal(): Promise<void> {
    try {
      await this.client.apps();
    } catch {
      // The next attempt to connect says what is wrong.
    }
  }

  #lose(error: unknown): void {
    if (this.#isConnected) this.identity.startOver();
    else this.identity.doubt();
    this.#isConnected = false;
    if (error instanceof RelayError && error.status === 401) void this.#askForRefusal();
    this.#listener.onLost(this.#sentenceFor(error));
  }

  #sentenceFor(error: unknown): string {
    if (error === undefined) return "The relay closed the connection.";
    const isInWords = [RelayError, RelayUnreachableError, DiskError, SettingsError].some(
      (kind) => error instanceof kind,
    );
    return isInWords ? sentenceOf(error) : networkTrouble(error, this.#http.host).message;
  }
}
