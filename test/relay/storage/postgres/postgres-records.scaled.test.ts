import { describe, expect, test } from "vitest";
import { turnsContract } from "../../../contracts/relay/records/turns-contract.ts";
import { recordHunts, recordsContract } from "../../../contracts/relay/records/records-contract.ts";
import { upkeepContract } from "../../../contracts/relay/records/upkeep-contract.ts";
import { randomSeeds } from "../../../runner/random-seed.ts";
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

const SEEDS = WHOLE_FORMS ? 200 : 2;

/** Everything that is counted, beside what the packages themselves add up to. */
const WRONG = `
  WITH of_devices AS (
    SELECT device_id,
      coalesce(sum(counts * (committed_at IS NOT NULL AND outcome IS NULL)::int), 0)::bigint AS waiting,
      coalesce(sum(counts * (announced_bytes - missing_bytes)
        + (room_held_until = 0)::int * partial_bytes), 0)::bigint AS stored,
      coalesce(sum((room_held_until > 0)::int * missing_bytes), 0)::bigint AS reserved
    FROM packages GROUP BY device_id),
  of_tiers AS (
    SELECT tier, sum(missing_bytes)::bigint AS bytes
    FROM packages, json_array_elements_text(room_tiers::json) AS tier
    WHERE room_held_until > 0 GROUP BY tier)
  SELECT 'device ' || device_id AS wrong FROM device_counts LEFT JOIN of_devices USING (device_id)
    WHERE (waiting_packages, stored_bytes, reserved_bytes)
      <> (coalesce(waiting, 0), coalesce(stored, 0), coalesce(reserved, 0))
  UNION ALL
  SELECT 'tier ' || tier FROM room_counts FULL JOIN of_tiers USING (tier)
    WHERE coalesce(room_counts.bytes, 0) <> coalesce(of_tiers.bytes, 0) AND tier < '~'
  UNION ALL
  SELECT 'all' FROM (SELECT coalesce(sum(bytes), 0) AS counted FROM room_counts WHERE tier >= '~') AS c,
    (SELECT coalesce(sum(reserved), 0) AS really FROM of_devices) AS r WHERE counted <> really
  UNION ALL
  SELECT 'partials of ' || package_id FROM packages
    WHERE partial_bytes <> (SELECT coalesce(sum(stored_bytes), 0) FROM partials
      WHERE partials.package_id = packages.package_id)
  UNION ALL
  SELECT 'package without a device ' || package_id FROM packages
    WHERE NOT EXISTS (SELECT 1 FROM devices WHERE devices.device_id = packages.device_id)`;

const DEADLOCKS = "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()";

/** Each hunt ends without a deadlock, and with everything counted as it is. */
async function expectCounted(url: string): Promise<void> {
  expect(await runIn(url, WRONG)).toEqual([]);
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
