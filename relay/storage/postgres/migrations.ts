import { judgeSchema, NEEDED_SCHEMA } from "../records/needed-schema.ts";
import type { Connections } from "./connections.ts";
import { LIMITS_SCHEMA } from "./limits-schema.ts";
import { POSTGRES } from "../records/dialect.ts";
import { LOCK_EXCLUSIVELY, LOCKS } from "../records/locks.ts";
import { statement } from "../records/statement.ts";
import { schemaFor } from "../records/tables.ts";
import { PROCESSES_SCHEMA } from "./processes-schema.ts";
import type { Transaction } from "./transaction.ts";

/**
 * The database's migrations, oldest first; the first one creates it. A released migration never changes: a change of
 * the schema is one more.
 *
 * Relays of this version and of the one before use the database at the same time, so a migration only adds: tables,
 * columns with a default, indexes (rule SC2). Anything that it makes unnecessary is removed one release later, by a
 * migration that ends with `raiseNeededSchema`.
 */
export const MIGRATIONS: readonly string[] = [
  schemaFor(POSTGRES) + PROCESSES_SCHEMA + LIMITS_SCHEMA,
];

/** Time that a migration of many rows may take. Others wait for its lock as long. */
const MIGRATION_MS = 600_000;

const CREATE = statement(
  "create_migrations",
  `CREATE TABLE IF NOT EXISTS soundferry_migrations (
     version bigint PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
  "postgres",
);
const HAS_TABLE = statement<{ readonly found: boolean }>(
  "has_migrations",
  "SELECT to_regclass('soundferry_migrations') IS NOT NULL AS found",
  "postgres",
);
const APPLIED = statement<{ readonly version: number }>(
  "applied_migrations",
  "SELECT coalesce(max(version), 0)::bigint AS version FROM soundferry_migrations",
  "postgres",
);
const NOTE = statement(
  "note_migration",
  "INSERT INTO soundferry_migrations (version) VALUES (:version)",
  "postgres",
);
const NEEDED = statement<{ readonly value: string }>(
  "needed_schema",
  "SELECT value FROM upkeep WHERE name = :name",
  "postgres",
);

/**
 * Brings the database to this version's schema, in one transaction under a lock. Many processes may start at once;
 * one of them migrates (rule SC2).
 * @throws if a newer relay has removed something that this one needs; the message says so
 */
export async function migrate(
  connections: Connections,
  migrations: readonly string[] = MIGRATIONS,
): Promise<void> {
  // The usual start needs no lock.
  const [table] = await connections.read(HAS_TABLE());
  if (table?.found === true) {
    const { age } = await readSchema((bound) => connections.read(bound), migrations.length);
    if (age === "current") return;
  }
  await connections.transaction((tx) => migrateLocked(tx, migrations), {
    statementMs: MIGRATION_MS,
  });
}

async function migrateLocked(tx: Transaction, migrations: readonly string[]): Promise<void> {
  const known = migrations.length;
  await tx.query(LOCK_EXCLUSIVELY({ lock: LOCKS.migrations }));
  await tx.query(CREATE());
  const { version: done, age } = await readSchema((bound) => tx.query(bound), known);
  if (age === "newer") {
    throw new Error(
      `A newer version of Soundferry has changed this database (schema ${done}; this version knows ${known}). ` +
        "Install that version again.",
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < done) continue;
    await tx.run(migration);
    await tx.query(NOTE({ version: index + 1 }));
  }
}

async function readSchema(query: Transaction["query"], known: number) {
  const [applied] = await query(APPLIED());
  const version = applied?.version ?? 0;
  const [needed] = version > known ? await query(NEEDED({ name: NEEDED_SCHEMA })) : [];
  return { version, age: judgeSchema({ version, known, needed: Number(needed?.value ?? 0) }) };
}

const SETTINGS = statement<Readonly<Record<string, string>>>(
  "durability",
  `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
     current_setting('full_page_writes') AS full_page_writes,
     current_setting('server_encoding') AS server_encoding`,
  "postgres",
);

const LOSES = {
  fsync: "a crash of its machine can destroy the database",
  synchronous_commit: "a crash loses what was answered already",
  full_page_writes: "a power cut can destroy the database",
} as const;

/**
 * Judges whether the database keeps what it has confirmed (rule SC1).
 * @throws a sentence with each setting that is off, unless `allowUnsafe` is set; and if the database can't hold every
 * character
 */
export async function judgeDurability(
  connections: Connections,
  { allowUnsafe = false }: { readonly allowUnsafe?: boolean | undefined },
): Promise<void> {
  const [row = {}] = await connections.read(SETTINGS());
  const encoding = row["server_encoding"];
  if (encoding !== "UTF8") {
    throw new Error(
      `${connections.where} has the encoding ${encoding}. Make one with the encoding UTF8.`,
    );
  }
  if (allowUnsafe) return;
  const off = Object.entries(LOSES).filter(([name]) => row[name] === "off");
  if (off.length === 0) return;
  const reasons = off.map(([name, loses]) => `${name} is off: ${loses}.`);
  throw new Error(
    `${connections.where} isn't safe: ${reasons.join(" ")} Turn ${off.map(([name]) => name).join(" and ")} on, ` +
      "or set SOUNDFERRY_ALLOW_UNSAFE_DATABASE=1.",
  );
}
