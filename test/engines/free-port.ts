import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that Linux gives to outgoing connections: one of those could take the port before the engine does. */
const FIRST = 12_000;
const LAST = 31_999;

/** A port of 127.0.0.1 that nobody listens at now and that no outgoing connection takes. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port of ${FIRST} to ${LAST} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = once(server.listen(port, "127.0.0.1"), "listening").then(
    () => true,
    () => false,
  );
  if (!(await listens)) return false;
  server.close();
  await once(server, "close");
  return true;
}
