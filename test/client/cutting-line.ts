import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A network connection to a relay that breaks again and again, and can go silent. */
export class CuttingLine implements AsyncDisposable {
  /** Bytes that apps have sent through it. */
  sentBytes = 0;
  cutsLeft: number;
  readonly #server;
  readonly #sockets = new Set<Socket>();
  readonly #pieceBytes: number;
  #relayPort: number;
  readonly #silent = new WeakSet<Socket>();

  private constructor(relayPort: number, cuts: number, pieceBytes: number) {
    this.#relayPort = relayPort;
    this.cutsLeft = cuts;
    this.#pieceBytes = pieceBytes;
    this.#server = createServer((app) => this.#carry(app));
  }

  /** @param pieceBytes a connection is cut once it has carried this many bytes to the relay */
  static async to(
    relayUrl: string,
    { cuts = 0, pieceBytes = 0 }: { cuts?: number; pieceBytes?: number } = {},
  ): Promise<CuttingLine> {
    const line = new CuttingLine(Number(new URL(relayUrl).port), cuts, pieceBytes);
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    return line;
  }

  get port(): number {
    // A listening TCP server always has an address of this kind.
    return (this.#server.address() as AddressInfo).port;
  }

  /** New connections go to another relay. */
  leadTo(relayUrl: string): void {
    this.#relayPort = Number(new URL(relayUrl).port);
  }

  /** From now on the connections that are open carry nothing, and don't end: they are half open. */
  silence(): void {
    for (const socket of this.#sockets) {
      this.#silent.add(socket);
      socket.pause();
    }
  }

  #carry(app: Socket): void {
    const relay = connect(this.#relayPort, "127.0.0.1");
    let carried = 0;
    app.on("data", (piece: Buffer) => {
      this.sentBytes += piece.byteLength;
      carried += piece.byteLength;
      if (!relay.write(piece)) {
        app.pause();
        relay.once("drain", () => {
          if (!this.#silent.has(app)) app.resume();
        });
      }
      if (this.cutsLeft > 0 && carried >= this.#pieceBytes) {
        this.cutsLeft -= 1;
        // What was carried arrives; the app learns nothing.
        relay.end();
        app.resetAndDestroy();
      }
    });
    relay.on("data", (piece) => app.write(piece));
    for (const [socket, other] of [
      [app, relay],
      [relay, app],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroySoon();
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
