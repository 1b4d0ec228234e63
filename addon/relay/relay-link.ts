import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import { type IdentityStore, RelayIdentity } from "./relay-identity.ts";
import type { Timers } from "../concurrency/timers.ts";
import { NotificationSocket } from "./notification-socket.ts";
import { HttpConnection } from "./http-connection.ts";
import { IMPORTER_HEADERS, registerImporter, RelayClient } from "./relay-client.ts";
import { networkTrouble, RelayError, RelayUnreachableError } from "./relay-errors.ts";

export interface RelayLinkDeps {
  readonly relayUrl: string;
  readonly registrationKey: string | undefined;
  readonly deviceName: string;
  readonly identities: IdentityStore;
  readonly timers: Timers;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
  readonly listener: RelayLinkListener;
}

export interface RelayLinkListener {
  /** After every connect; whatever rang before was missed. */
  readonly onConnected: () => void;
  readonly onNotification: (message: SocketMessage) => void;
  /** The connection is lost, or could not be made; the sentence says why. */
  readonly onLost: (trouble: string) => void;
  /** The relay no longer knew this importer: apps must pair again. */
  readonly onIdentityLost: () => void;
}

/** Everything between the importer and one relay: its calls, and its doorbell. */
export class RelayLink {
  readonly client: RelayClient;
  readonly identity: RelayIdentity;
  readonly #http: HttpConnection;
  readonly #notifier: NotificationSocket;
  readonly #listener: RelayLinkListener;
  /** What the last try to connect showed. */
  #shownToken: string | undefined;

  constructor(deps: RelayLinkDeps) {
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
        // A connection of the lost identity hears nothing that is meant for the next one.
        this.#notifier.reconnect();
      },
    });
    this.client = new RelayClient(this.#http, this.identity);
    this.#notifier = new NotificationSocket({
      timers: deps.timers,
      random: deps.random,
      prepare: () => this.#prepareSocket(),
      onConnected: listener.onConnected,
      onNotification: listener.onNotification,
      onLost: (error) => this.#lose(error),
    });
  }

  /** Listens to the doorbell from now on; it connects in the background. */
  connect(): void {
    this.#notifier.connect();
  }

  async close(): Promise<void> {
    await this.#notifier.close();
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
