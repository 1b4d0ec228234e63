import { Buffer } from "node:buffer";
import { URL } from "node:url";
import { WebSocket } from "ws";
import { PING_SECONDS } from "../../core/limits.ts";
import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import type { Timers } from "../concurrency/timers.ts";
import { refusalIn } from "./relay-errors.ts";
import { parseSocketMessage } from "./relay-answers.ts";

/** After two and a half rounds of pings without a sign of life the connection is lost. */
const SILENCE_LIMIT_MS = 2.5 * PING_SECONDS * 1000;
const SHORTEST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
const HANDSHAKE_LIMIT_MS = 15_000;
/** Messages are a few words; more than this is not the relay's. */
const MAX_MESSAGE_BYTES = 65_536;

export interface NotificationSocketDeps {
  /** Called before every try; what it rejects with is why the try failed. */
  readonly prepare: () => Promise<{
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  }>;
  /** After every connect: earlier notifications were missed, so everything must be read again. */
  readonly onConnected: () => void;
  readonly onNotification: (message: SocketMessage) => void;
  /**
   * The connection is gone (undefined where the relay just closed it) or could not be made; the next
   * try follows automatically. A refusal is a `RelayError`, with a status of 401 say.
   */
  readonly onLost: (error: unknown) => void;
  readonly timers: Timers;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
}

/**
 * The relay's notifications (rule I3): that something changed, never what. It connects again after
 * every loss, waiting a random span of at least 0.5 s whose upper end doubles from 1 s to 30 s; a
 * connection that lived until its first ping starts the spans over.
 */
export class NotificationSocket {
  readonly #deps: NotificationSocketDeps;
  #socket: WebSocket | undefined;
  #failures = 0;
  #isClosed = false;
  #stopWatch = () => {};
  #cancelRetry = () => {};

  constructor(deps: NotificationSocketDeps) {
    this.#deps = deps;
  }

  /** Starts the first try; `onLost` gets its failure. */
  connect(): void {
    this.#deps.prepare().then(
      ({ url, headers }) => this.#open(url, headers),
      (error: unknown) => this.#lose(error),
    );
  }

  /** Drops the connection there is, so that the next one shows what `prepare` gives by then. */
  reconnect(): void {
    this.#socket?.terminate();
  }

  /** Closes for good; resolves when the socket is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#stopWatch();
    const socket = this.#socket;
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => {
      socket.once("close", resolve);
    });
    const giveUp = this.#deps.timers.after(1000, () => socket.terminate());
    socket.close();
    await closed;
    giveUp();
  }

  #open(url: string, headers: Readonly<Record<string, string>>): void {
    if (this.#isClosed) return;
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: HANDSHAKE_LIMIT_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    let reason: unknown;
    socket.on("open", () => {
      this.#watch(socket);
      this.#deps.onConnected();
    });
    socket.on("ping", () => {
      this.#failures = 0;
      this.#watch(socket);
    });
    socket.on("message", (bytes) => {
      const message = parseSocketMessage(Buffer.isBuffer(bytes) ? bytes.toString("utf8") : "");
      if (message !== undefined) this.#deps.onNotification(message);
    });
    socket.on("unexpected-response", (_, answer) => {
      const { statusCode: status = 0, headers } = answer;
      reason = refusalIn({ status, headers, body: undefined }, new URL(url).host);
      socket.terminate();
    });
    socket.on("error", (error) => {
      reason ??= error;
    });
    socket.on("close", () => this.#lose(reason));
  }

  #watch(socket: WebSocket): void {
    this.#stopWatch();
    this.#stopWatch = this.#deps.timers.after(SILENCE_LIMIT_MS, () => socket.terminate());
  }

  #lose(error: unknown): void {
    this.#stopWatch();
    if (this.#isClosed) return;
    this.#cancelRetry = this.#deps.timers.after(this.#nextBackoffMs(), () => this.connect());
    this.#deps.onLost(error);
  }

  #nextBackoffMs(): number {
    this.#failures += 1;
    const longest = Math.min(LONGEST_BACKOFF_MS, SHORTEST_BACKOFF_MS * 2 ** this.#failures);
    return SHORTEST_BACKOFF_MS + this.#deps.random() * (longest - SHORTEST_BACKOFF_MS);
  }
}
