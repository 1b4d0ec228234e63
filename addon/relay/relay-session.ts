import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import type { IdentityStore } from "../state/stored-settings.ts";
import { RelayIdentity } from "./relay-identity.ts";
import type { Timers } from "../concurrency/timers.ts";
import { NotificationSocket } from "./notification-socket.ts";
import { HttpConnection } from "./http-connection.ts";
import { IMPORTER_HEADERS, registerImporter, RelayClient } from "./relay-client.ts";
import { networkTrouble, RelayError, RelayUnreachableError } from "./relay-errors.ts";

export interface RelaySessionDeps {
  /** Normalized by `parseRelayUrl`. */
  readonly relayUrl: string;
  readonly registrationKey: string | undefined;
  readonly deviceName: string;
  readonly identities: IdentityStore;
  readonly timers: Timers;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly listener: RelaySessionListener;
}

export interface RelaySessionListener {
  /** Called after every connect; earlier notifications may have been missed. */
  readonly onConnected: () => void;
  readonly onNotification: (message: SocketMessage) => void;
  /** Called with a sentence when a connection is lost or an attempt fails. */
  readonly onLost: (trouble: string) => void;
  /** Called when the relay no longer knows this importer: apps must pair again. */
  readonly onIdentityLost: () => void;
}

/** One identity at one relay, with the client and the notification socket that use its token. */
export class RelaySession {
  readonly client: RelayClient;
  readonly identity: RelayIdentity;
  readonly #http: HttpConnection;
  readonly #socket: NotificationSocket;
  readonly #listener: RelaySessionListener;
  /** The token of the last attempt to connect. */
  #socketToken: string | undefined;

  constructor(deps: RelaySessionDeps) {
    const { relayUrl, registrationKey, deviceName, listener } = deps;
    this.#listener = listener;
    this.#http = new HttpConnection({ baseUrl: relayUrl, headers: IMPORTER_HEADERS });
    this.identity = new RelayIdentity({
      relayUrl,
      deviceName,
      store: deps.identities,
      register: async (name) => {
        const answer = await registerImporter(this.#http, { deviceName: name, registrationKey });
        return { deviceId: answer.device_id, importerToken: answer.importer_token };
      },
      onLost: () => {
        listener.onIdentityLost();
        // The lost identity's connection gets no notifications for the next one.
        this.#socket.reconnect();
      },
    });
    this.client = new RelayClient(this.#http, this.identity);
    this.#socket = new NotificationSocket({
      timers: deps.timers,
      random: deps.random,
      prepare: () => this.#prepareSocket(),
      onConnected: listener.onConnected,
      onNotification: listener.onNotification,
      onLost: (error) => this.#lose(error),
    });
  }

  /** Connects the socket in the background, and reconnects after every loss. */
  connect(): void {
    this.#socket.connect();
  }

  /** Closes every connection; later calls reject. */
  async close(): Promise<void> {
    await this.#socket.close();
    this.#http.close();
  }

  async #prepareSocket() {
    await this.client.hello();
    const token = await this.identity.token();
    this.#socketToken = token;
    return {
      url: this.#http.socketUrl("/importer/socket"),
      headers: { ...IMPORTER_HEADERS, authorization: `Bearer ${token}` },
    };
  }

  #lose(error: unknown): void {
    if (error instanceof RelayError && error.status === 401 && this.#socketToken !== undefined) {
      this.identity.forget(this.#socketToken);
    }
    const isInWords = error instanceof RelayError || error instanceof RelayUnreachableError;
    this.#listener.onLost(
      isInWords
        ? error.message
        : error === undefined
          ? "The relay closed the connection."
          : networkTrouble(error, this.#http.host).message,
    );
  }
}
