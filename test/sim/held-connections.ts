import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { letPass } from "./real-time.ts";
import { inParallel, type Target } from "./http-call.ts";
import type { Stranger } from "./stranger.ts";

const SETTLE_MS = 15_000;
const UPGRADE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": 13,
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

type Headers = Readonly<Record<string, string | number | undefined>>;

/** A stranger's request on a connection that is held. */
export interface HeldCall {
  /** Such as `PUT /packages/…`. */
  readonly line: string;
  /** The owner of the token that it carries. Default: none. */
  readonly as?: "app" | "importer";
  /** The length of the body that is promised. */
  readonly bytes?: number;
  /** Asks for a WebSocket. */
  readonly isSocket?: boolean;
  readonly headers?: Headers;
  /** The part of the body that is sent. */
  readonly body?: string | Uint8Array;
}

/** Connections that an attacker opens and holds. Disposing it ends them all. */
export class HeldConnections implements Disposable {
  readonly #port: number;
  readonly #sockets: Socket[] = [];

  constructor({ url }: Target) {
    this.#port = Number(new URL(url).port);
  }

  /** Opens a connection and writes to it. Nothing is read from it. */
  async open(bytes?: string | Uint8Array): Promise<HeldConnection> {
    const socket = connect(this.#port, "127.0.0.1");
    this.#sockets.push(socket);
    const connection = new HeldConnection(socket);
    socket.on("error", () => socket.destroy());
    await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
    if (bytes !== undefined) connection.write(bytes);
    return connection;
  }

  /** Makes a call and reads what comes. */
  async hold(stranger: Stranger, call: HeldCall): Promise<HeldConnection> {
    const connection = (await this.open(headOf(stranger, call))).read();
    if (call.body !== undefined) connection.write(call.body);
    return connection;
  }

  /** Holds `count` calls. */
  holdMany(count: number, call: (index: number) => readonly [Stranger, HeldCall]) {
    return inParallel(count, 32, (index) => this.hold(...call(index)));
  }

  /** Number of connections that are still open. */
  get openCount(): number {
    return this.#sockets.filter(({ destroyed }) => !destroyed).length;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** One of them. Nothing is read from it until `read` is called. */
export class HeldConnection {
  readonly socket: Socket;
  /** Bytes that were read. */
  bytes = 0;
  /** The first characters that were read. */
  head = "";

  constructor(socket: Socket) {
    this.socket = socket;
    socket.pause();
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** True while it is neither answered nor closed. */
  get isWaiting(): boolean {
    return this.isOpen && this.status === 0;
  }

  write(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  /** Reads what arrives from now on. */
  read(): this {
    this.socket.on("data", (piece: Buffer) => {
      this.bytes += piece.byteLength;
      if (this.head.length < 200) this.head += piece.toString("latin1", 0, 200);
    });
    this.socket.resume();
    return this;
  }

  /** The status of the first answer that was read; 0 without one. */
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.head)?.[1] ?? 0);
  }
}

/** Counts the connections that are neither answered nor closed. */
export function waitingOf(connections: readonly HeldConnection[]): number {
  return connections.filter(({ isWaiting }) => isWaiting).length;
}

/** Waits until a count is within its bound, or a slow machine has had its time. */
export async function settled(
  count: () => number,
  atMost: number,
  withinMs = SETTLE_MS,
): Promise<number> {
  const endsAt = performance.now() + withinMs;
  while (count() > atMost && performance.now() < endsAt) await letPass(50);
  return count();
}

/** The head of a request, with its blank line. */
export function headOf(stranger: Stranger, { line, as, bytes, isSocket, headers }: HeldCall) {
  const token = as === undefined ? undefined : stranger[as];
  const all: Headers = {
    Host: "127.0.0.1",
    Authorization: token && `Bearer ${token}`,
    "X-Forwarded-For": stranger.from,
    "Content-Length": bytes,
    ...(isSocket === true && UPGRADE),
    ...headers,
  };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
