import { expect, test } from "vitest";
import { Connections } from "../../../../relay/storage/postgres/connections.ts";
import { Cutter } from "../../../sim/cutter.ts";
import { sharedPostgres } from "../../../engines/shared-engines.ts";
import { plainStatement } from "../records/plain-statement.ts";

const TERMINATE = "X\0\0\0\u0004";

/** Makes the message that PostgreSQL sends to each connection as it is shut down. */
function shutDown(): Buffer {
  const fields = ["SFATAL", "C57P01", "Mterminating connection due to administrator command", ""];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(""));
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

test("[SC1] a database that ends together with a relay's connections is no trouble", async () => {
  const url = await sharedPostgres().createDatabase();
  // It is shut down just as a connection ends.
  await using database = await Cutter.to(url);
  database.play({ at: { text: TERMINATE, isHeldBack: true }, does: shutDown() });
  const troubles: Error[] = [];
  const connections = await Connections.open({
    url: database.url,
    onTrouble: (error) => troubles.push(error),
  });
  await connections.readSlowly(plainStatement("one", "SELECT 1")());
  await connections[Symbol.asyncDispose]();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(troubles).toEqual([]);
});
