import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { Connections } from "../../../../relay/storage/postgres/connections.ts";
import { statement } from "../../../../relay/storage/postgres/statement.ts";
import { sharedPostgres } from "../../../scaled/shared-engines.ts";

const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/** What PostgreSQL says to each connection as it is shut down. */
function shutDown(): Buffer {
  const fields = ["SFATAL", "C57P01", "Mterminating connection due to administrator command", ""];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(""));
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A way to a database that is shut down just as a connection ends. */
async function endingDatabase(url: string) {
  const { port, hostname } = new URL(url);
  const server = createServer((caller) => {
    const onward = connect(Number(port), hostname);
    caller.on("data", (piece) => {
      if (TERMINATE.equals(Buffer.from(piece))) caller.end(shutDown());
      else onward.write(piece);
    });
    onward.pipe(caller);
    for (const socket of [caller, onward]) socket.on("error", () => {});
    caller.on("close", () => onward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const way = new URL(url);
  way.port = String((server.address() as AddressInfo).port);
  return { url: way.href, [Symbol.asyncDispose]: async () => void server.close() };
}

test("[SC1] a database that ends together with a relay's connections is no trouble", async () => {
  const url = await (await sharedPostgres()).createDatabase();
  await using database = await endingDatabase(url);
  const troubles: Error[] = [];
  const connections = await Connections.open({
    url: database.url,
    onTrouble: (error) => troubles.push(error),
  });
  await connections.readSlowly(statement("one", "SELECT 1"));
  await connections[Symbol.asyncDispose]();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(troubles).toEqual([]);
});
