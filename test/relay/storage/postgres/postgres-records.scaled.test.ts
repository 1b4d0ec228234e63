import { describe, test } from "vitest";
import { partialsContract } from "../../../../relay/testing/records/partials-contract.ts";
import {
  recordHunts,
  recordsContract,
} from "../../../../relay/testing/records/records-contract.ts";
import { upkeepContract } from "../../../../relay/testing/records/upkeep-contract.ts";
import { makePostgres, throughPooler } from "./open-postgres.ts";

const ROUTES = [
  ["directly", (url: string) => url],
  ["through pgbouncer in transaction mode", throughPooler],
] as const;

for (const [way, route] of ROUTES) {
  const make = () => makePostgres(route);

  describe.concurrent(`[X3] PostgreSQL keeps every promise, ${way}`, () => {
    for (const { title, run } of recordsContract(make)) test(title, run);
    for (const { title, run } of upkeepContract(make)) test(title, run);
    for (const { title, run } of partialsContract(make)) test(title, run);
  });

  describe.concurrent(`[X3] nothing is lost in a race on PostgreSQL, ${way}`, () => {
    for (const { title, run } of recordHunts(make, { seeds: 3 })) test(title, run);
  });
}
