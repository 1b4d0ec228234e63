import { NEEDED_SCHEMA } from "../needed-schema.ts";
import type { Connections, Transaction } from "./connections.ts";
import { LOCK_EXCLUSIVELY, LOCKS } from "./lock-order.ts";
import { MIGRATIONS } from "./schema.ts";
import { statement } from "./statement.ts";

/** A migration of many rows may take long; others wait for its lock as long. */
const MIGRATION_MS = 600_000;

const CREATE = statement(
  "create_migrations",
  `CREATE TABLE IF NOT EXISTS soundferry_migrations (
     version bigint PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
);
const HAS_TABLE = statement(
  "has_migrations",
  "SELECT to_regclass('soundferry_migrations') IS NOT NULL AS found",
);
const APPLIED = statement(
  "applied_migrations",
  "SELECT coalesce(max(version), 0)::bigint AS version FROM soundferry_migrations",
);
const NOTE = statement("note_migration", "INSERT INTO soundferry_migrations (version) VALUES ($1)");
const NEEDED = statement("needed_schema", "SELECT value FROM upkeep WHERE name = $1");

/**
 * Brings the database to this version's schema, in one transaction under a lock: many processes may start at once, and
 * one of them migrates (rule SC2).
 * @throws if a newer relay has taken away what this one needs; the message says so
 */
export async function migrate(
  connections: Connections,
  migrations: readonly string[] = MIGRATIONS,
): Promise<void> {
  // The usual start needs no lock.
  const [table] = await connections.read<{ found: boolean }>(HAS_TABLE);
  if (table?.found === true) {
    const [applied] = await connections.read<{ version: number }>(APPLIED);
    if (applied?.version === migrations.length) return;
  }
  await connections.transaction((tx) => migrateLocked(tx, migrations), {
    statementMs: MIGRATION_MS,
  });
}

async function migrateLocked(tx: Transaction, migrations: readonly string[]): Promise<void> {
  await tx.query(LOCK_EXCLUSIVELY, [LOCKS.migrations]);
  await tx.query(CREATE);
  const [applied] = await tx.query<{ version: number }>(APPLIED);
  const done = applied?.version ?? 0;
  if (done > migrations.length) return refuseNewer(tx, done, migrations.length);
  for (let version = done + 1; version <= migrations.length; version++) {
    await tx.run(migrations[version - 1] ?? "");
    await tx.query(NOTE, [version]);
  }
}

async function refuseNewer(tx: Transaction, done: number, known: number): Promise<void> {
  const [needed] = await tx.query<{ value: string }>(NEEDED, [NEEDED_SCHEMA]);
  // Without the row, all that newer versions did was to add.
  if (Number(needed?.value ?? 0) <= known) return;
  throw new Error(
    `A newer version of Soundferry has changed this database (schema ${done}; this version knows ${known}). ` +
      "Install that version again.",
  );
}
