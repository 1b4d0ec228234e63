import { Redis as RedisClient } from "ioredis";
import { Client } from "pg";
import { expect, test } from "vitest";
import { startPostgres } from "../../../scaled/engines/postgres.ts";
import { startRedis } from "../../../scaled/engines/redis.ts";
import { sharedPostgres } from "../shared-engines.ts";

test("PostgreSQL keeps what was committed when it is killed, and serves at the same address", async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await ask(url, "create table kept (what text)");
  await ask(url, "insert into kept values ('this')");
  await postgres.kill();
  await expect(ask(url, "select 1")).rejects.toThrow();
  await postgres.start();
  expect(await ask(url, "select what from kept")).toEqual([{ what: "this" }]);
});

test("PostgreSQL is as durable as an operator's", async () => {
  const { url } = await sharedPostgres();
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit"]) {
    expect(await ask(url, `select current_setting('${setting}') as it`)).toEqual([{ it: "on" }]);
  }
});

test("each database is a new one", async () => {
  const postgres = await sharedPostgres();
  const [one, other] = [await postgres.createDatabase(), await postgres.createDatabase()];
  expect(one).not.toBe(other);
  expect(
    await ask(
      one,
      "select count(*)::int as n from information_schema.tables where table_schema = 'public'",
    ),
  ).toEqual([{ n: 0 }]);
});

test("Redis starts again empty, at the same address", async () => {
  await using redis = await startRedis();
  expect(await withRedis(redis.url, (client) => client.set("key", "1"))).toBe("OK");
  await redis.kill();
  await redis.start();
  expect(await withRedis(redis.url, (client) => client.get("key"))).toBe(null);
});

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function withRedis<Result>(
  url: string,
  act: (client: RedisClient) => Promise<Result>,
): Promise<Result> {
  const client = new RedisClient(url);
  try {
    return await act(client);
  } finally {
    client.disconnect();
  }
}
