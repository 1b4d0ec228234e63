import { Client } from "pg";
import { expect, test } from "vitest";
import type {
  Connections,
  Statement,
  Transaction,
} from "../../../../relay/storage/postgres/connections.ts";
import { packageUpdate } from "../../../../relay/storage/postgres/package-changes.ts";
import { packageInsert } from "../../../../relay/storage/postgres/package-insert.ts";
import { packageReads } from "../../../../relay/storage/postgres/package-reads.ts";
import type { PostgresDatabase } from "../../../../relay/storage/postgres/postgres-database.ts";
import { roomHold } from "../../../../relay/storage/postgres/hold-room.ts";
import { soundKeys } from "../../../../relay/storage/postgres/sound-keys.ts";
import {
  hold,
  insert,
  MINUTE,
  packageOf,
  register,
  roomFor,
  T0,
  uploaded,
} from "../../../contracts/relay/records/sample-records.ts";
import { migratedDatabase, openPostgres } from "./open-postgres.ts";

/** The same connections, which note each statement. */
function noting(connections: Connections, noted: Map<string, string>): Connections {
  const note = ({ name, text }: Statement) => void noted.set(name, text);
  const notingTransaction = (tx: Transaction): Transaction => ({
    ...tx,
    query: (statement, values) => {
      note(statement);
      return tx.query(statement, values);
    },
    send: (statement, values) => {
      note(statement);
      tx.send(statement, values);
    },
  });
  return new Proxy(connections, {
    get: (target, key) => {
      if (key === "transaction") {
        const noteAll: Connections["transaction"] = (act, options) =>
          target.transaction((tx) => act(notingTransaction(tx)), options);
        return noteAll;
      }
      if (key === "read") {
        return (statement: Statement, values?: readonly unknown[]) => {
          note(statement);
          return target.read(statement, values);
        };
      }
      return Reflect.get(target, key);
    },
  });
}

/** The statements of an announcement, an upload and a status, by their names. */
async function noteAll(records: PostgresDatabase): Promise<ReadonlyMap<string, string>> {
  const noted = new Map<string, string>();
  const connections = noting(records.connections, noted);
  const packages = {
    ...records.packages,
    insert: packageInsert(connections),
    update: packageUpdate(connections),
    holdRoom: roomHold(connections),
  };
  const watched = { packages, soundKeys: soundKeys(connections) };
  const room = roomFor("192.0.2.1", T0 + MINUTE);
  const record = { ...packageOf("pkg_1"), room };
  await insert(watched, record, {
    idempotency: { key: "key", bodyHash: "hash", answer: "{}", endsAt: T0 + MINUTE },
  });
  await hold(watched, "pkg_1", { room: roomFor("192.0.2.2", T0 + MINUTE) });
  for (const key of uploaded(record).uploaded.values()) {
    await watched.soundKeys.addPending(key, T0 + MINUTE);
  }
  const received = { address: "192.0.2.1", bytes: 100, at: T0 };
  expect(await packages.update(uploaded(record), received)).toBe("updated");
  const reads = packageReads(connections);
  await reads.find("pkg_1");
  await reads.listImportable("device-1", T0, { after: undefined, limit: 10 });
  await reads.listOwn(
    { deviceId: "device-1", appId: record.appId },
    { after: undefined, limit: 10 },
  );
  return noted;
}

/** A device's `count` announced packages that hold room, as many as a relay has at a busy hour, and what PostgreSQL knows of them. */
const MANY = (count: number) => `
  INSERT INTO packages (package_id, device_id, app_id, app_name, created_at, announced_bytes, missing_bytes,
    upload_ends_at, files_end_at, files_deleted, uploaded, room_held_until, room_tiers, room_address, version)
  SELECT 'many-' || n, 'device-' || n % 100, 'app', 'app', ${T0}, 9, 9, ${T0 + MINUTE}, ${T0 + MINUTE}, 0, '[]',
    ${T0 + MINUTE}, '["address-' || n || '"]', 'address-' || n, 1 FROM generate_series(1, ${count}) AS n;
  INSERT INTO manifests SELECT package_id, '{"items":[]}' FROM packages WHERE package_id LIKE 'many-%';
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
  await register(records, "device-1");
  const noted = await noteAll(records);
  expect(noted.size).toBeGreaterThan(15);

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
  await register(records, "device-1");
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

test("[SC3] an announcement's statements are planned once for each connection", async () => {
  await using database = await migratedDatabase();
  await using records = await openPostgres(database.url, { max: 2 });
  await register(records, "device-1");
  for (let index = 0; index < 10; index++) await insert(records, packageOf(`pkg_${index}`));
  const plans = await records.connections.transaction((tx) =>
    tx.query<{ name: string; again: number }>({
      name: "plans_made",
      text: "SELECT name, custom_plans AS again FROM pg_prepared_statements WHERE name <> 'plans_made'",
    }),
  );
  expect(plans.map(({ name }) => name)).toContain("read_for_insert");
  expect(plans.filter(({ again }) => again > 0)).toEqual([]);
});
