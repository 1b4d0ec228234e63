import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { Client } from "pg";
import { expect, test } from "vitest";
import { runIn } from "../relay/notify/notifying-postgres.ts";
import { startHaproxy } from "./haproxy.ts";
import { startPgbouncer } from "./pgbouncer.ts";
import { startPostgres } from "./postgres.ts";
import { startSwift } from "./swift.ts";
import { sharedPostgres } from "./shared-engines.ts";
import { soon } from "../sim/soon.ts";

test("PostgreSQL keeps what was committed when it is killed, and serves at the same address", async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await runIn(url, "create table kept (what text)");
  await runIn(url, "insert into kept values ('this')");
  await postgres.kill();
  await expect(runIn(url, "select 1")).rejects.toThrow();
  await postgres.start();
  expect(await runIn(url, "select what from kept")).toEqual([{ what: "this" }]);
});

test("S3 keeps what it was given when it is killed, lists it, and serves ranges", async () => {
  await using swift = await startSwift();
  const place = { Bucket: await swift.createBucket(), Key: "one/sound" };
  const client = swift.client();
  await client.send(new PutObjectCommand({ ...place, Body: Buffer.from("0123456789") }));
  await swift.kill();
  await swift.start();
  const range = await client.send(new GetObjectCommand({ ...place, Range: "bytes=2-4" }));
  expect(await range.Body?.transformToString()).toBe("234");
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: place.Bucket }));
  expect(Contents?.map(({ Key, Size }) => [Key, Size])).toEqual([["one/sound", 10]]);
  client.destroy();
});

test("pgbouncer gives each transaction any connection", async () => {
  const postgres = sharedPostgres();
  await using pooler = await startPgbouncer(postgres);
  const url = pooler.urlOf(await postgres.createDatabase());
  expect(await runIn(url, "select 1 as one")).toEqual([{ one: 1 }]);
  // What marks a connection through a pooler: the key that it gave isn't PostgreSQL's process.
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  expect((client as unknown as { processID: number }).processID).not.toBe(rows[0].pid);
  await client.end();
});

test("haproxy leaves out a relay that isn't ready, and says 503 with Retry-After if none is", async () => {
  const relays = await Promise.all([answering("one"), answering("two")]);
  await using proxy = await startHaproxy(relays.map(({ port }) => port));
  const ask = async () =>
    (await fetch(proxy.url, { headers: { authorization: "Bearer x" } })).text();
  const first = await ask();
  expect(["one", "two"]).toContain(first);
  expect(await ask()).toBe(first);
  for (const relay of relays.filter(({ name }) => name === first)) relay[Symbol.dispose]();
  await soon(ask).toBe(first === "one" ? "two" : "one");
  for (const relay of relays) relay[Symbol.dispose]();
  await soon(async () => (await fetch(proxy.url)).status).toBe(503);
  expect((await fetch(proxy.url)).headers.get("retry-after")).toBe("2");
});

async function answering(name: string): Promise<{ name: string; port: number } & Disposable> {
  const server = createServer((_call, answer) => answer.end(name));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { name, port, [Symbol.dispose]: end };
}
