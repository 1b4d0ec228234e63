import { afterAll, beforeAll, describe, test } from "vitest";
import { turnsContract } from "../../contracts/relay/records/partials-contract.ts";
import { type Pgbouncer, startPgbouncer } from "../../engines/pgbouncer.ts";
import { sharedPostgres } from "../../engines/shared-engines.ts";
import { makeRecords } from "./postgres-records.ts";

describe("turns of partials on PostgreSQL", () => {
  for (const { title, run } of turnsContract(() => makeRecords())) test(title, run);
});

describe("turns of partials on PostgreSQL through pgbouncer in transaction mode", () => {
  let pooler: Pgbouncer;
  beforeAll(async () => void (pooler = await startPgbouncer(sharedPostgres())));
  afterAll(() => pooler[Symbol.asyncDispose]());

  const make = () => makeRecords((url) => pooler.urlOf(url));
  for (const { title, run } of turnsContract(make)) test(title, run);
});
