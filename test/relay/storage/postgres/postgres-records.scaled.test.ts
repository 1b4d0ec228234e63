import { describe, expect, test } from "vitest";
import { partialsContract } from "../../../contracts/relay/records/partials-contract.ts";
import { recordHunts, recordsContract } from "../../../contracts/relay/records/records-contract.ts";
import { upkeepContract } from "../../../contracts/relay/records/upkeep-contract.ts";
import { randomSeeds } from "../../../runner/random-seed.ts";
import { checkCounts } from "./count-check.ts";
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

const SEEDS = WHOLE_FORMS ? 200 : 2;

/** Each hunt ends without a deadlock, and with everything counted as it is. */
async function expectCounted(url: string): Promise<void> {
  expect(await checkCounts(url)).toEqual({ wrong: [], deadlocks: 0 });
}

for (const { way, route, keepsAll, isRaced } of ROUTES) {
  const make = () => makePostgres(route);

  if (keepsAll)
    describe.concurrent(`[SC3] PostgreSQL keeps every promise, ${way}`, () => {
      for (const { title, run } of recordsContract(make)) test(title, run);
      for (const { title, run } of upkeepContract(make)) test(title, run);
      for (const { title, run } of partialsContract(make)) test(title, run);
    });

  if (isRaced)
    describe.concurrent(`[SC3] nothing is lost in a race on PostgreSQL, ${way}`, () => {
      const makeChecked = () => makePostgres(route, expectCounted);
      for (const { title, run } of recordHunts(makeChecked, { seeds: randomSeeds(SEEDS) }))
        test(title, run);
    });
}
