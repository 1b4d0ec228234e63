import { describe, expect, test } from "vitest";
import { POSTGRES } from "../../../../relay/storage/records/dialect.ts";
import { turnsContract } from "../../../contracts/relay/records/turns-contract.ts";
import { recordHunts, recordsContract } from "../../../contracts/relay/records/records-contract.ts";
import { upkeepContract } from "../../../contracts/relay/records/upkeep-contract.ts";
import { randomSeeds } from "../../../runner/random-seed.ts";
import { neverSent } from "../records/every-statement.ts";
import { noteStatements } from "../records/noted-statements.ts";
import { wrongCounts } from "../records/wrong-counts.ts";
import { runIn } from "../../notify/notifying-postgres.ts";
import { WHOLE_FORMS } from "../../../whole-forms.ts";
import { makePostgres, throughPooler } from "./open-postgres.ts";

/** CI tries every promise directly, and the races through pgbouncer, where they are tighter. */
const ROUTES = [
  { way: "directly", route: (url: string) => url, keepsAll: true, isRaced: WHOLE_FORMS },
  {
    way: "through pgbouncer in transaction mode",
    route: throughPooler,
    keepsAll: WHOLE_FORMS,
    isRaced: true,
  },
];

const sent = noteStatements();
const SEEDS = WHOLE_FORMS ? 200 : 2;

const DEADLOCKS = "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()";

/** Each hunt ends without a deadlock, and with everything counted as it is. */
async function expectCounted(url: string): Promise<void> {
  expect(await runIn(url, wrongCounts(POSTGRES))).toEqual([]);
  expect(await runIn(url, DEADLOCKS)).toEqual([{ deadlocks: 0 }]);
}

for (const { way, route, keepsAll, isRaced } of ROUTES) {
  const make = () => makePostgres(route);

  describe.concurrent(`[U10] turns of partials on PostgreSQL, ${way}`, () => {
    for (const { title, run } of turnsContract(make)) test(title, run);
  });

  if (keepsAll)
    describe.concurrent(`[SC3] PostgreSQL keeps every promise, ${way}`, () => {
      for (const { title, run } of recordsContract(make)) test(title, run);
      for (const { title, run } of upkeepContract(make)) test(title, run);
    });

  if (isRaced)
    describe.concurrent(`[SC3] nothing is lost in a race on PostgreSQL, ${way}`, () => {
      const makeChecked = () => makePostgres(route, expectCounted);
      for (const { title, run } of recordHunts(makeChecked, { seeds: randomSeeds(SEEDS) }))
        test(title, run);
    });
}

test("the contracts send every statement of the records to PostgreSQL", async () => {
  sent[Symbol.dispose]();
  expect(await neverSent("contracts", sent.postgres)).toEqual([]);
});
