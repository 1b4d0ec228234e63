import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * - `before`: COMMIT never reaches the database.
 * - `after`: it does, and its answer is lost.
 * - `answer`: the next answer to anything is lost.
 */
export type Cut = "before" | "after" | "answer";

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Cuts one connection once. */
  cutNext(cut: Cut): void;
  /** How many were cut. */
  readonly cuts: number;
}

/** A proxy before a database that cuts connections at a chosen moment. */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: Cut | undefined;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let losesAnswer = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on("data", (piece) => {
      const isCommit = piece.includes("COMMIT\0");
      if (armed === "before" && isCommit) {
        armed = undefined;
        cuts += 1;
        return end();
      }
      if ((armed === "after" && isCommit) || armed === "answer") {
        armed = undefined;
        losesAnswer = true;
      }
      upstream.write(piece);
    });
    upstream.on("data", (piece) => {
      if (!losesAnswer) return void client.write(piece);
      cuts += 1;
      end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  return {
    url: url.href,
    cutNext: (cut) => void (armed = cut),
    get cuts() {
      return cuts;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
