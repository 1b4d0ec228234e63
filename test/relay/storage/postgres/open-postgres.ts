import { randomBytes } from "node:crypto";
import type { RecordStore } from "../../../../relay/domain/ports.ts";
import { PostgresNotifier } from "../../../../relay/notify/postgres-notifier.ts";
import { Connections } from "../../../../relay/storage/postgres/connections.ts";
import { migrate } from "../../../../relay/storage/postgres/migrations.ts";
import {
  PostgresDatabase,
  type PostgresOptions,
} from "../../../../relay/storage/postgres/postgres-database.ts";
import type { StoreUnderTest } from "../../../contracts/relay/contract.ts";
import { type Pgbouncer, startPgbouncer } from "../../../engines/pgbouncer.ts";
import type { Postgres } from "../../../engines/postgres.ts";
import { sharedPostgres } from "../../../engines/shared-engines.ts";

/** Number of connections of each instance in a test. Many tests share one server. */
const CONNECTIONS = 4;

let template: Promise<string> | undefined;
let pooler: Promise<Pgbouncer> | undefined;

/** A migrated database, copied for each test. */
async function makeTemplate(postgres: Postgres): Promise<string> {
  const url = await postgres.createDatabase();
  await using connections = await Connections.open({ url, onTrouble: failOnTrouble });
  await migrate(connections);
  return new URL(url).pathname.slice(1);
}

function failOnTrouble(error: unknown): void {
  throw error;
}

interface TestDatabase extends AsyncDisposable {
  readonly url: string;
}

/** A database of its own, with the current schema and nothing in it. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const postgres = sharedPostgres();
  template ??= makeTemplate(postgres);
  const name = `test_${randomBytes(6).toString("hex")}`;
  await postgres.run(`create database ${name} template ${await template}`);
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => postgres.run(`drop database ${name} with (force)`),
  };
}

/** The same database through pgbouncer in transaction mode. */
export async function throughPooler(url: string): Promise<string> {
  pooler ??= startPgbouncer(sharedPostgres(), { poolSize: 5 });
  return (await pooler).urlOf(url);
}

export async function openPostgres(
  url: string,
  options: Partial<PostgresOptions> = {},
): Promise<PostgresDatabase> {
  return PostgresDatabase.open({ url, max: CONNECTIONS, onTrouble: () => {}, ...options });
}

/**
 * An empty store for a contract suite.
 * @param route changes the URL that instances use
 * @param atEnd looks into the database, by its direct URL, after the instances have ended
 */
export async function makePostgres(
  route: (url: string) => string | Promise<string> = (url) => url,
  atEnd: (url: string) => Promise<void> = async () => {},
): Promise<StoreUnderTest<RecordStore>> {
  const database = await migratedDatabase();
  const url = await route(database.url);
  const opened: PostgresDatabase[] = [];
  const notifiers: PostgresNotifier[] = [];
  return {
    open: async () => {
      const instance = await openPostgres(url, { listenUrl: database.url });
      // A relay also learns of other processes through its notifier.
      const notifier = new PostgresNotifier(instance.connections, {
        onError: failOnTrouble,
        onStoreChanged: () => instance.changedElsewhere(),
      });
      await notifier.start();
      notifiers.push(notifier);
      opened.push(instance);
      return instance;
    },
    [Symbol.asyncDispose]: async () => {
      for (const notifier of notifiers) await notifier[Symbol.asyncDispose]();
      await Promise.all(opened.map((instance) => instance[Symbol.asyncDispose]()));
      await atEnd(database.url);
      await database[Symbol.asyncDispose]();
    },
  };
}
