import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const SETTLE_MS = 15_000;

/** Connections that an attacker opens and holds. Disposing it ends them all. */
export class RawConnections implements Disposable {
  readonly #port: number;
  readonly #sockets: Socket[] = [];

  constructor({ port }: { readonly port: number }) {
    this.#port = port;
  }

  /** Opens a connection and writes to it. Resolves with whether it was accepted. */
  async open(bytes?: string | Uint8Array): Promise<RawConnection> {
    const socket = connect(this.#port, "127.0.0.1");
    this.#sockets.push(socket);
    const connection = new RawConnection(socket);
    socket.on("error", () => socket.destroy());
    await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
    if (bytes !== undefined && !socket.destroyed) socket.write(bytes);
    return connection;
  }

  /** How many are still open. */
  get openCount(): number {
    return this.#sockets.filter(({ destroyed }) => !destroyed).length;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** One of them. Nothing is read from it until `read` is called. */
export class RawConnection {
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

/** Waits until a count is within its bound, or a slow machine has had its time. */
export async function settled(count: () => number, atMost: number): Promise<number> {
  const endsAt = performance.now() + SETTLE_MS;
  do await sleep(SETTLE_MS / 10);
  while (count() > atMost && performance.now() < endsAt);
  return count();
}

/** The head of a request, with its blank line. */
export function requestHead(
  line: string,
  headers: Readonly<Record<string, string | number | undefined>>,
): string {
  const lines = Object.entries({ Host: "127.0.0.1", ...headers })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
