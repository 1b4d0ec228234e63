import type { IncomingMessage, Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import { MAX_UNREAD_SECONDS, QUEUED_CALL_BYTES } from "../../core/quotas/budgets.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import type { Admission, Permit } from "../domain/admission/budgets.ts";
import { type Caller, strangerAt } from "../domain/caller.ts";
import { isLan, markAsLan } from "./lan/lan-socket.ts";
import type { TrustedProxies } from "./host-guard.ts";

/** The most connections at once that get a refusal in HTTP before they end. Further ones end without it. */
const REFUSED_AT_ONCE = 64;
const REFUSED_MS = 2000;

interface Connection {
  readonly held: Permit | undefined;
  /** The refusal of its first call. */
  readonly refused: Refusal | undefined;
  /** Ends a call: one function for all calls of the connection. */
  readonly endCall: () => void;
  /** The socket of calls and answers; over TLS it isn't the first one. */
  stream: Socket;
  calls: number;
  hasCalled: boolean;
  taken: number;
  takenAt: number;
}

const CONNECTION = Symbol("connection");

/** A property is found faster than an entry of a WeakMap, and every call looks. */
type KnownSocket = Socket & { [CONNECTION]?: Connection };

interface ConnectionsOptions {
  readonly admission: Admission;
  /** The trusted proxies. Each of their connections may be somebody else's, so they count only in all. */
  readonly proxies: TrustedProxies;
  /** A reader that takes nothing for this long is disconnected; `MAX_UNREAD_SECONDS` unless set. */
  readonly unreadMs?: number | undefined;
}

/**
 * All connections to a server (rule L6). A connection without a call can be ended for another one; a connection with a
 * call can't. A reader that leaves an answer unread is disconnected.
 */
export class Connections implements Disposable {
  readonly #admission: Admission;
  readonly #proxies: TrustedProxies;
  readonly #unreadMs: number;
  /** The open connections, by its own address and the other side's address and port. */
  readonly #open = new Map<string, Connection>();
  readonly #looking: ReturnType<typeof setInterval>;
  #refused = 0;
  #proxied = 0;

  constructor(server: Server | TlsServer, options: ConnectionsOptions) {
    this.#admission = options.admission;
    this.#unreadMs = options.unreadMs ?? MAX_UNREAD_SECONDS * 1000;
    this.#proxies = options.proxies;
    server.on("connection", (socket: Socket) => this.#admit(socket));
    server.on("secureConnection", (socket: Socket) => this.#useStream(socket));
    this.#looking = setInterval(() => this.#endUnread(), this.#unreadMs / 6);
    this.#looking.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#looking);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Ends connections without any call so far: Node doesn't count them as idle when a server closes. */
  closeUnused(): void {
    for (const { stream, hasCalled } of this.#open.values()) if (!hasCalled) stream.destroy();
  }

  /** Returns the number of unanswered calls of a connection. */
  callsOf(stream: Socket): number {
    return connectionAt(stream)?.calls ?? 0;
  }

  /**
   * Counts a call until the returned function is called. Returns the refusal if the connection is refused. Without room
   * for more pipelined calls, ends the connection and returns "ended": pipelined refusals take memory too.
   */
  begin(request: IncomingMessage): Refusal | "ended" | (() => void) {
    const connection = connectionAt(request.socket);
    if (connection === undefined) return () => {};
    if (connection.refused !== undefined) return connection.refused;
    const queued = connection.calls === 0 ? undefined : this.#queue(connection, request);
    if (queued === "ended") return queued;
    connection.hasCalled = true;
    connection.calls += 1;
    if (connection.calls === 1) connection.held?.use(true);
    if (queued === undefined) return connection.endCall;
    return () => {
      queued[Symbol.dispose]();
      connection.endCall();
    };
  }

  /** Records that a proven caller has the connection (rule L7). */
  markProven(stream: Socket): void {
    connectionAt(stream)?.held?.markProven();
  }

  /** Takes room for a call whose answer waits for an earlier one. */
  #queue({ stream }: Connection, request: IncomingMessage): Permit | "ended" {
    const end = () => void stream.destroy();
    if (stream.destroyed) return "ended";
    try {
      const caller = strangerAt(this.#proxies.clientOf(request));
      return this.#admission.take("answers", caller, QUEUED_CALL_BYTES, end);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      end();
      return "ended";
    }
  }

  #admit(socket: Socket): void {
    const address = socket.remoteAddress;
    if (address === undefined) return void socket.destroy();
    const key = keyOf(socket);
    const connection = this.#take(socket, address);
    if (connection === undefined) return void socket.destroy();
    this.#open.set(key, connection);
    bind(socket, connection);
    socket.once("close", () => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
      connection.held?.[Symbol.dispose]();
      if (connection.refused !== undefined) this.#refused -= 1;
    });
  }

  #take(socket: Socket, address: string): Connection | undefined {
    try {
      const caller = isLan(socket) ? strangerAt(address) : this.#callerAt(address);
      const end = () => void socket.destroy();
      const held = this.#admission.take("connections", caller, 1, end);
      if (!isLan(socket)) return connectionOf(socket, held, undefined);
      using undo = new DisposableStack();
      undo.use(held);
      const inLan = this.#admission.take("lan-connections", caller, 1, end);
      undo.move();
      return connectionOf(socket, together(held, inLan), undefined);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (this.#refused >= REFUSED_AT_ONCE) return undefined;
      this.#refused += 1;
      setTimeout(() => socket.destroy(), REFUSED_MS).unref();
      return connectionOf(socket, undefined, error);
    }
  }

  #callerAt(address: string): Caller {
    if (!this.#proxies.trusts(address)) return strangerAt(address);
    this.#proxied += 1;
    return { address: `proxied ${this.#proxied}`, networks: [], isProven: true };
  }

  #useStream(stream: Socket): void {
    const connection = this.#open.get(keyOf(stream));
    if (connection === undefined) return;
    if (isLan(connection.stream)) markAsLan(stream);
    connection.stream = stream;
    bind(stream, connection);
  }

  #endUnread(): void {
    const now = performance.now();
    for (const connection of this.#open.values()) {
      const { bytesWritten, writableLength } = connection.stream;
      const taken = bytesWritten - writableLength;
      if (writableLength === 0 || taken !== connection.taken) {
        connection.taken = taken;
        connection.takenAt = now;
      } else if (now - connection.takenAt >= this.#unreadMs) connection.stream.destroy();
    }
  }
}

function bind(stream: KnownSocket, connection: Connection): void {
  stream[CONNECTION] = connection;
}

function connectionAt(stream: KnownSocket): Connection | undefined {
  return stream[CONNECTION];
}

function connectionOf(
  stream: Socket,
  held: Permit | undefined,
  refused: Refusal | undefined,
): Connection {
  const endCall = () => {
    connection.calls -= 1;
    if (connection.calls === 0) held?.use(false);
  };
  const start = { calls: 0, hasCalled: false, taken: 0, takenAt: 0 };
  const connection: Connection = { stream, held, refused, endCall, ...start };
  return connection;
}

/** Holds two parts as one. */
function together(one: Permit, other: Permit): Permit {
  const both = (act: (permit: Permit) => void) => [one, other].forEach(act);
  return {
    grow: (by) => both((permit) => permit.grow(by)),
    moved: (by) => both((permit) => permit.moved(by)),
    use: (isInUse) => both((permit) => permit.use(isInUse)),
    markProven: () => both((permit) => permit.markProven()),
    [Symbol.dispose]: () => both((permit) => permit[Symbol.dispose]()),
  };
}

function keyOf({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`;
}
