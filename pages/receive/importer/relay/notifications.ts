import { parseSocketMessage } from "../../../../core/importer/relay-answers.ts";
import {
  SOCKET_PROTOCOL,
  SOCKET_TOKEN_PREFIX,
  type SocketMessage,
} from "../../../../core/protocol/importer-api.ts";

const SHORTEST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
/** A connection that lasted until the relay's first ping, which pages don't see, resets the backoff. */
const LASTING_MS = 30_000;
/** Number of messages a minute; more end the connection (rule I7). */
const MAX_MESSAGES = 6000;
const MAX_MESSAGE_UNITS = 65_536;

interface NotificationsDeps {
  readonly token: string;
  /** Called before each attempt; a rejection fails it. */
  readonly prepare: () => Promise<void>;
  readonly onOpen: () => void;
  readonly onMessage: (message: SocketMessage) => void;
  readonly onLost: () => void;
}

/** The relay's notifications for a page (rule I3): that something changed, never what. Reconnects until it is closed. */
export class Notifications {
  readonly #deps: NotificationsDeps;
  #socket: WebSocket | undefined;
  #failures = 0;
  #timer = 0;
  #isClosed = false;

  constructor(deps: NotificationsDeps) {
    this.#deps = deps;
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #connect(): void {
    this.#deps.prepare().then(
      () => this.#open(),
      () => this.#lose(false),
    );
  }

  #open(): void {
    if (this.#isClosed) return;
    const { token, onOpen, onMessage } = this.#deps;
    const url = new URL("/importer/socket", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url, [SOCKET_PROTOCOL, SOCKET_TOKEN_PREFIX + token]);
    this.#socket = socket;
    let openedAt: number | undefined;
    let messages = 0;
    socket.addEventListener("open", () => {
      openedAt = performance.now();
      onOpen();
    });
    socket.addEventListener("message", ({ data }) => {
      messages += 1;
      const minutes = 1 + Math.floor((performance.now() - (openedAt ?? 0)) / 60_000);
      if (messages > minutes * MAX_MESSAGES) return socket.close();
      if (typeof data !== "string" || data.length > MAX_MESSAGE_UNITS) return socket.close();
      const message = parseSocketMessage(data);
      if (message !== undefined) onMessage(message);
    });
    socket.addEventListener("close", () => {
      this.#lose(openedAt !== undefined && performance.now() - openedAt > LASTING_MS);
    });
  }

  #lose(hasLasted: boolean): void {
    this.#failures = hasLasted ? 0 : this.#failures + 1;
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#connect(), this.#backoffMs());
    this.#deps.onLost();
  }

  #backoffMs(): number {
    const bound = Math.min(LONGEST_BACKOFF_MS, SHORTEST_BACKOFF_MS * 2 ** (this.#failures + 1));
    return SHORTEST_BACKOFF_MS + Math.random() * (bound - SHORTEST_BACKOFF_MS);
  }
}
