import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line to a relay on which each connection breaks once it has carried so much. What it carried arrives. */
export class CuttingLine implements AsyncDisposable {
  /** Bytes that went to the relay, headers included. */
  carriedBytes = 0;
  /** Connections that broke. */
  cuts = 0;
  /** Bytes after which a connection breaks. */
  cutAfterBytes = Number.POSITIVE_INFINITY;
  /** How many connections may still break. */
  cutsLeft = Number.POSITIVE_INFINITY;
  readonly #server;
  readonly #sockets = new Set<Socket>();

  private constructor(relayPort: number) {
    this.#server = createServer((app) => void this.#carry(app, connect(relayPort, "127.0.0.1")));
  }

  static async to(relayUrl: string): Promise<CuttingLine> {
    const line = new CuttingLine(Number(new URL(relayUrl).port));
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    return line;
  }

  get url(): string {
    // A listening TCP server always has an address of this kind.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #carry(app: Socket, relay: Socket): Promise<void> {
    for (const socket of [app, relay]) {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#sockets.delete(socket));
    }
    relay.pipe(app);
    app.on("close", () => relay.end());
    let carried = 0;
    try {
      for await (const piece of app) {
        carried += piece.length;
        this.carriedBytes += piece.length;
        // Waiting for the relay keeps the app from running far ahead of it.
        await new Promise((resolve) => relay.write(piece, resolve));
        if (carried < this.cutAfterBytes || this.cutsLeft === 0) continue;
        this.cuts += 1;
        this.cutsLeft -= 1;
        break;
      }
    } catch {
      // The app broke off.
    }
    relay.end();
    if (carried >= this.cutAfterBytes) app.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
