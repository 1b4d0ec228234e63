import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** Passes connections on to a port of 127.0.0.1, until they are cut. */
export interface CutProxy extends AsyncDisposable {
  readonly port: number;
  /** Ends all connections, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
}

export async function startCutProxy(to: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((caller) => {
    if (isCut) {
      caller.destroy();
      return;
    }
    const called = connect(to, "127.0.0.1");
    for (const [one, other] of [
      [caller, called],
      [called, caller],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut,
    mend: () => (isCut = false),
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
