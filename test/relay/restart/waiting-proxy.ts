import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy that holds a connection until the relay behind it listens, as a balancer with a queue does. */
export interface WaitingProxy extends AsyncDisposable {
  readonly url: string;
  /** Of all connections so far, from clients to the relay. */
  readonly bytesIn: number;
}

const AGAIN_MS = 5;

export async function startWaitingProxy(port: number): Promise<WaitingProxy> {
  let bytesIn = 0;
  const open = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    open.add(client);
    client.on("error", () => client.destroy());
    client.once("close", () => open.delete(client));
    void connected(port, client).then((relay) => {
      if (relay === undefined) return;
      relay.on("error", () => client.destroy());
      relay.once("close", () => client.end());
      client.once("close", () => relay.destroy());
      client.on("data", (piece: Buffer) => {
        bytesIn += piece.byteLength;
        if (!relay.write(piece)) client.pause();
      });
      relay.on("drain", () => client.resume());
      client.on("end", () => relay.end());
      relay.pipe(client);
      client.resume();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get bytesIn() {
      return bytesIn;
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of open) client.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A connection to the relay, as soon as it listens; undefined once the client has gone. */
async function connected(port: number, client: Socket): Promise<Socket | undefined> {
  while (!client.destroyed) {
    const relay = connect({ port, host: "127.0.0.1", noDelay: true });
    try {
      await once(relay, "connect");
      return relay;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
  return undefined;
}
