import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import type { IdentityStore } from "../state/stored-settings.ts";
import { RelayIdentity } from "./relay-identity.ts";
import type { Timers } from "../concurrency/timers.ts";
import { NotificationSocket } from "./notification-socket.ts";
import { HttpConnection } from "./http-connection.ts";
import { IMPORTER_HEADERS, registerImporter, RelayClient } from "./relay-client.ts";
import { networkTrouble, RelayError, RelayUnreachableError } from "./relay-errors.ts";

export interface RelaySessionDeps {
  /** In the one spelling that `parseRelayUrl` gives. */
  readonly relayUrl: string;
  readonly registrationKey: string | undefined;
  readonly deviceName: string;
  readonly identities: IdentityStore;
  readonly timers: Timers;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
  readonly listener: RelaySessionListener;
}

export interface RelaySessionListener {
  /** After every connect; notifications sent before it were missed. */
  readonly onConnected: () => void;
  readonly onNotification: (message: SocketMessage) => void;
  /** The connection is lost, or could not be made; the sentence says why. */
  readonly onLost: (trouble: string) => void;
  /** The relay no longer knew this importer: apps must pair again. */
  readonly onIdentityLost: () => void;
}

/** One identity at one relay, with the calls and the notification socket that show its token. */
export class RelaySession {
  readonly client: RelayClient;
  readonly identity: RelayIdentity;
  readonly #http: HttpConnection;
  readonly #socket: NotificationSocket;
  readonly #listener: RelaySessionListener;
  /** The token of the last attempt to connect. */
  #shownToken: string | undefined;

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
        // A connection of the lost identity gets no notifications for the next one.
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

  /** Connects the socket in the background, again after every loss. */
  connect(): void {
    this.#socket.connect();
  }

  /** Ends every connection; later calls reject. */
  async close(): Promise<void> {
    await this.#socket.close();
    this.#http.close();
  }

  async #prepareSocket() {
    await this.client.hello();
    const token = await this.identity.token();
    this.#shownToken = token;
    return {
      url: this.#http.socketUrl("/importer/socket"),
      headers: { ...IMPORTER_HEADERS, authorization: `Bearer ${token}` },
    };
  }

  #lose(error: unknown): void {
    if (error instanceof RelayError && error.status === 401 && this.#shownToken !== undefined) {
      this.identity.forget(this.#shownToken);
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
