import { Client } from "pg";
import { expect, test } from "vitest";
import type { PostgresDatabase } from "../../../../relay/storage/postgres/postgres-database.ts";
import {
  insert,
  MINUTE,
  packageOf,
  register,
  T0,
} from "../../../contracts/relay/records/sample-records.ts";
import { announceAndUpload, readStatusAndLists } from "../records/noted-calls.ts";
import { noteStatements } from "../records/noted-statements.ts";
import { plainStatement } from "../records/plain-statement.ts";
import { migratedDatabase, openPostgres } from "./open-postgres.ts";

/** The SQL of an announcement, an upload and a status, by the statements' names. */
async function noteAll(records: PostgresDatabase): Promise<ReadonlyMap<string, string>> {
  await register(records, "device-1");
  using noted = noteStatements();
  await announceAndUpload(records);
  await readStatusAndLists(records);
  return new Map([...noted.postgres].map(([name, { text }]) => [name, text]));
}

/** A device's `count` announced packages that hold room, as many as a relay has at a busy hour, and what PostgreSQL knows of them. */
const MANY = (count: number) => `
  INSERT INTO packages (package_id, device_id, app_id, app_name, created_at, announced_bytes, missing_bytes,
    upload_ends_at, files_end_at, files_deleted, uploaded, room_held_until, room_tiers, room_address, version)
  SELECT 'many-' || n, 'device-' || n % 100, 'app', 'app', ${T0}, 9, 9, ${T0 + MINUTE}, ${T0 + MINUTE}, 0, '[]',
    ${T0 + MINUTE}, '["address-' || n || '"]', 'address-' || n, 1 FROM generate_series(1, ${count}) AS n;
  INSERT INTO manifests SELECT package_id, '', '{"items":[]}' FROM packages WHERE package_id LIKE 'many-%';
  INSERT INTO announcements SELECT 'device-' || n % 100, 'app', ${T0} FROM generate_series(1, ${count}) AS n;
  INSERT INTO room_counts SELECT 'address-' || n, 9 FROM generate_series(1, ${count}) AS n;
  ANALYZE`;

async function planOf(client: Client, name: string, text: string): Promise<string> {
  await client.query(`PREPARE ${name} AS ${text}`);
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/gu)].map(([, number]) => Number(number)));
  const values = Array.from({ length: count }, () => "NULL").join(", ");
  const execute = count === 0 ? name : `${name} (${values})`;
  const { rows } = await client.query<Record<string, string>>(`EXPLAIN EXECUTE ${execute}`);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("[J4][SC3] every statement of an announcement, an upload and a status reaches its rows by an index", async () => {
  await using database = await migratedDatabase();
  await using records = await openPostgres(database.url);
  const noted = await noteAll(records);
  expect(noted.size).toBeGreaterThan(30);

  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    // An empty table is read whole even where an index fits.
    await client.query("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan");
    for (const [name, text] of noted) {
      expect(await planOf(client, name, text), `${name}: ${text}`).not.toMatch(/Seq Scan/u);
    }
  } finally {
    await client.end();
  }
});

test("[J4][SC3] among many packages, none of these statements reads a whole table", async () => {
  await using database = await migratedDatabase();
  await using records = await openPostgres(database.url);
  const noted = await noteAll(records);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(MANY(20_000));
    await client.query("SET plan_cache_mode = force_generic_plan");
    for (const [name, text] of noted) {
      const plan = await planOf(client, name, text);
      const whole = /Seq Scan on (?:packages|manifests|announcements|room_counts)/u;
      expect(plan, `${name}: ${text}`).not.toMatch(whole);
    }
  } finally {
    await client.end();
  }
});

const PLANS_MADE = plainStatement<{ readonly name: string; readonly again: number }>(
  "plans_made",
  "SELECT name, custom_plans AS again FROM pg_prepared_statements WHERE name <> 'plans_made'",
);

test("[SC3] an announcement's statements are planned once for each connection", async () => {
  await using database = await migratedDatabase();
  await using records = await openPostgres(database.url, { max: 2 });
  await register(records, "device-1");
  for (let index = 0; index < 10; index++) await insert(records, packageOf(`pkg_${index}`));
  const plans = await records.connections.transaction((tx) => tx.query(PLANS_MADE()));
  expect(plans.map(({ name }) => name)).toContain("read_for_insert");
  expect(plans.filter(({ again }) => again > 0)).toEqual([]);
});
