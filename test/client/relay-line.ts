import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A network connection to a relay that can stall and break. */
export class RelayLine implements AsyncDisposable {
  readonly #server;
  readonly #sockets = new Set<Socket>();
  #stallAfterBytes = Number.POSITIVE_INFINITY;
  #isCut = false;

  private constructor(relayPort: number) {
    this.#server = createServer((app) => this.#carry(app, connect(relayPort, "127.0.0.1")));
  }

  static async to(relayUrl: string): Promise<RelayLine> {
    const line = new RelayLine(Number(new URL(relayUrl).port));
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    return line;
  }

  get port(): number {
    // A listening TCP server always has an address of this kind.
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on a connection stalls once it has carried this many bytes to the relay. */
  stallAfter(bytes: number): void {
    this.#stallAfterBytes = bytes;
  }

  /**
   * Cuts stalled connections and those that would stall: a browser retries automatically before it reports an
   * error.
   */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) if (socket.isPaused()) socket.resetAndDestroy();
  }

  /** Lets everything pass. */
  repair(): void {
    this.#stallAfterBytes = Number.POSITIVE_INFINITY;
  }

  #carry(app: Socket, relay: Socket): void {
    let sentBytes = 0;
    app.on("data", (piece) => {
      sentBytes += Buffer.byteLength(piece);
      relay.write(piece);
      if (sentBytes < this.#stallAfterBytes) return;
      if (this.#isCut) app.resetAndDestroy();
      else app.pause();
    });
    relay.on("data", (piece) => app.write(piece));
    this.#watch(app, relay);
    this.#watch(relay, app);
  }

  #watch(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
