import { once } from "node:events";
import type { Server } from "node:http";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import { markAsLan } from "./lan-socket.ts";

interface LanListenerOptions {
  readonly server: Server;
  readonly port: number;
  /** Called with the other end's address of each connection. */
  readonly onConnection: (address: string) => void;
}

/** Listens at further addresses on the relay's port, and gives the connections to the relay's own server, marked. */
export class LanListener {
  readonly #options: LanListenerOptions;
  readonly #open = new Map<string, { readonly server: NetServer; readonly sockets: Set<Socket> }>();

  constructor(options: LanListenerOptions) {
    this.#options = options;
  }

  /** The addresses at which it listens. */
  get addresses(): ReadonlySet<string> {
    return new Set(this.#open.keys());
  }

  /** Listens at these addresses only. Connections at others end. Returns the errors of those that can't be used. */
  async listenAt(addresses: readonly string[]): Promise<ReadonlyMap<string, Error>> {
    for (const [address, { server, sockets }] of this.#open) {
      if (addresses.includes(address)) continue;
      this.#open.delete(address);
      server.close();
      for (const socket of sockets) socket.destroy();
    }
    const failed = new Map<string, Error>();
    for (const address of addresses) {
      if (this.#open.has(address)) continue;
      const error = await this.#listen(address);
      if (error !== undefined) failed.set(address, error);
    }
    return failed;
  }

  /** Accepts no further connection, and resolves when those that there are have ended. */
  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(
      open.map(({ server }) => new Promise<void>((resolve) => void server.close(() => resolve()))),
    );
  }

  async #listen(host: string): Promise<Error | undefined> {
    const sockets = new Set<Socket>();
    // As Node's own HTTP server opens its connections.
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      this.#pass(socket);
    });
    const { port } = this.#options;
    try {
      server.listen({ host, port, ipv6Only: true, exclusive: true });
      await once(server, "listening");
      this.#open.set(host, { server, sockets });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #pass(socket: Socket): void {
    markAsLan(socket);
    this.#options.onConnection(socket.remoteAddress ?? "");
    this.#options.server.emit("connection", socket);
  }
}
