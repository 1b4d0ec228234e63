import { Buffer } from "node:buffer";
import type { Agent } from "node:http";
import { URL } from "node:url";
import { WebSocket } from "ws";
import { PING_SECONDS } from "../../core/limits.ts";
import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import type { Timers } from "../timers.ts";
import {
  ForeignAnswerError,
  refusalIn,
  RelayUnreachableError,
} from "../../core/importer/relay-errors.ts";
import { isMarked } from "./relay-errors.ts";
import { parseSocketMessage } from "../../core/importer/relay-answers.ts";

/** Silence after which a connection counts as lost: 2.5 ping intervals. */
const SILENCE_LIMIT_MS = 2.5 * PING_SECONDS * 1000;
const SHORTEST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
/** Failures after which the upper bound of the backoff is the longest. */
const FAILURES_AFTER_FLOOD = 6;
const HANDSHAKE_LIMIT_MS = 15_000;
/** Number of messages and pings within a window; more end the connection (rule I7). */
const MAX_FRAMES = 6000;
const FRAMES_WINDOW_MS = 60_000;
/** Limit of a message; the relay's are a few words long. */
const MAX_MESSAGE_BYTES = 65_536;

export interface NotificationSocketDeps {
  /** Called before every attempt; a rejection fails the attempt. */
  readonly prepare: () => Promise<SocketTarget>;
  /** Called after every connect. Notifications may have been missed: read everything again. */
  readonly onConnected: () => void;
  readonly onNotification: (message: SocketMessage) => void;
  /**
   * Called when a connection is lost (undefined where the relay closed it) or an attempt failed; the
   * next attempt follows automatically. A refusal, such as a 401, is a `RelayError`.
   */
  readonly onLost: (error: unknown) => void;
  readonly timers: Timers;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
}

export interface SocketTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The agent that makes the connection. */
  readonly agent: Agent;
}

/**
 * Receives the relay's notifications (rule I3): that something changed, never what. Reconnects with
 * exponential backoff and jitter: a random delay of at least 0.5 s, whose upper bound doubles from 1 s
 * to 30 s. The first ping of a connection resets the backoff.
 */
export class NotificationSocket {
  readonly #deps: NotificationSocketDeps;
  #socket: WebSocket | undefined;
  #failures = 0;
  #frames = { sinceMs: 0, count: 0 };
  #isClosed = false;
  #stopWatch = () => {};
  #cancelRetry = () => {};
  #retryNow = () => {};

  constructor(deps: NotificationSocketDeps) {
    this.#deps = deps;
  }

  /** Starts an attempt; `onLost` is called when it fails. */
  connect(): void {
    this.#deps.prepare().then(
      (target) => this.#open(target),
      (error: unknown) => this.#lose(error),
    );
  }

  /** Drops the current connection, so that the next one uses what `prepare` returns by then. */
  reconnect(): void {
    this.#socket?.terminate();
  }

  /** Makes the next attempt now, if it was waiting to retry. */
  hurry(): void {
    this.#retryNow();
  }

  /** Stops reconnecting; resolves when the socket is closed. */
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

  #open({ url, headers, agent }: SocketTarget): void {
    if (this.#isClosed) return;
    const socket = new WebSocket(url, {
      headers,
      agent,
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
    const isFlood = (): boolean => {
      if (!this.#countFrame()) return false;
      reason ??= new RelayUnreachableError(
        `The relay at ${new URL(url).host} sends too many notifications. Tell its operator.`,
      );
      socket.terminate();
      return true;
    };
    socket.on("ping", () => {
      if (isFlood()) return;
      this.#failures = 0;
      this.#watch(socket);
    });
    socket.on("message", (bytes) => {
      if (isFlood()) return;
      const message = parseSocketMessage(Buffer.isBuffer(bytes) ? bytes.toString("utf8") : "");
      if (message !== undefined) this.#deps.onNotification(message);
    });
    socket.on("unexpected-response", (_, answer) => {
      const { statusCode: status = 0, headers } = answer;
      const { host } = new URL(url);
      reason = isMarked(headers)
        ? refusalIn({ status, headers, body: undefined }, host)
        : new ForeignAnswerError(answer, host, true);
      socket.terminate();
    });
    socket.on("upgrade", (answer) => {
      if (isMarked(answer.headers)) return;
      reason = new ForeignAnswerError(answer, new URL(url).host, true);
      socket.terminate();
    });
    socket.on("error", (error) => {
      reason ??= error;
    });
    socket.on("close", () => this.#lose(reason));
  }

  /** Counts a message or ping; returns whether it is one too many. The next attempt then waits long. */
  #countFrame(): boolean {
    const now = this.#deps.timers.now();
    if (now - this.#frames.sinceMs >= FRAMES_WINDOW_MS) this.#frames = { sinceMs: now, count: 0 };
    this.#frames.count += 1;
    if (this.#frames.count <= MAX_FRAMES) return false;
    this.#failures = FAILURES_AFTER_FLOOD;
    return true;
  }

  #watch(socket: WebSocket): void {
    this.#stopWatch();
    this.#stopWatch = this.#deps.timers.after(SILENCE_LIMIT_MS, () => socket.terminate());
  }

  #lose(error: unknown): void {
    this.#stopWatch();
    if (this.#isClosed) return;
    const cancel = this.#deps.timers.after(this.#nextBackoffMs(), () => this.#retryNow());
    this.#cancelRetry = () => {
      cancel();
      this.#retryNow = () => {};
    };
    this.#retryNow = () => {
      this.#cancelRetry();
      this.connect();
    };
    this.#deps.onLost(error);
  }

  #nextBackoffMs(): number {
    this.#failures += 1;
    const longest = Math.min(LONGEST_BACKOFF_MS, SHORTEST_BACKOFF_MS * 2 ** this.#failures);
    return SHORTEST_BACKOFF_MS + this.#deps.random() * (longest - SHORTEST_BACKOFF_MS);
  }
}
