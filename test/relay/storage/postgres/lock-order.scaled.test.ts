import { Client } from "pg";
import { expect, test } from "vitest";
import { eventually } from "../../../contracts/relay/contract.ts";
import { pair, register, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { runIn } from "../../notify/notifying-postgres.ts";
import { migratedDatabase, openPostgres } from "./open-postgres.ts";

const LOCK = "SELECT 1 FROM device_locks WHERE device_id = 'device-1' FOR NO KEY UPDATE";
const WAITING = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
/** The last step of a removal of the device. */
const REMOVE = "DELETE FROM devices WHERE device_id = 'device-1'";

test.each(["device", "pairing"])(
  "[SC3] a removal of a device never waits for a call that notes that a %s was seen",
  async (seen) => {
    await using database = await migratedDatabase();
    await using records = await openPostgres(database.url);
    await register(records, "device-1");
    const { pairingId } = await pair(records, "device-1");
    const removal = new Client({ connectionString: database.url });
    await removal.connect();
    try {
      await removal.query("BEGIN");
      await removal.query("SET LOCAL lock_timeout = '10s'");
      await removal.query(LOCK);
      const noted = records.pairings.noteSeen({
        devices: new Map(seen === "device" ? [["device-1", T0 + 1]] : []),
        pairings: new Map(seen === "pairing" ? [[pairingId, T0 + 1]] : []),
      });
      await eventually(
        "the call waits for the removal.",
        async () => (await runIn(database.url, WAITING)).length === 1,
      );
      await removal.query(REMOVE);
      await removal.query("COMMIT");
      await noted;
    } finally {
      await removal.end();
    }
    expect(await runIn(database.url, "SELECT 1 FROM devices")).toEqual([]);
  },
);
