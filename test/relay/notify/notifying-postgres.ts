import { Client } from "pg";
import { PostgresNotifier } from "../../../relay/notify/postgres-notifier.ts";
import type { NotifierTiming } from "../../../relay/notify/timing.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { PROCESSES_SCHEMA } from "../../../relay/storage/postgres/processes-schema.ts";
import type { NotifyingProcess, StoreUnderTest } from "../../contracts/relay/index.ts";
import type { Postgres } from "../../engines/postgres.ts";
import { sharedPostgres } from "../../engines/shared-engines.ts";

/** A process with its own connections and notifier, and what it was told. */
export interface PostgresProcess extends NotifyingProcess, AsyncDisposable {
  readonly notifier: PostgresNotifier;
  readonly connections: Connections;
  /** Each change of the notifier's trouble. */
  readonly troubles: (string | undefined)[];
  /** Changes of the store, in order. */
  readonly storeChanges: string[];
}

interface ProcessOptions {
  readonly url: string;
  readonly listenUrl?: string;
  readonly timing?: Partial<NotifierTiming>;
}

/** The URL of a new database that has only an outbox. */
export async function makeOutbox(postgres?: Postgres): Promise<string> {
  const url = await (postgres ?? sharedPostgres()).createDatabase();
  await runIn(url, PROCESSES_SCHEMA);
  return url;
}

/** Opens a process on a database with an outbox. */
export async function openProcess({
  url,
  listenUrl,
  timing,
}: ProcessOptions): Promise<PostgresProcess> {
  const connections = await Connections.open({
    url,
    listenUrl,
    max: 4,
    onTrouble: () => undefined,
  });
  const troubles: (string | undefined)[] = [];
  const storeChanges: string[] = [];
  const notifier = new PostgresNotifier(connections, {
    onError: () => undefined,
    onTrouble: (trouble) => void troubles.push(trouble),
    onStoreChanged: () => void storeChanges.push("changed"),
    ...(timing && { timing }),
  });
  await notifier.start();
  return {
    notifier,
    connections,
    troubles,
    storeChanges,
    change: async () => undefined,
    [Symbol.asyncDispose]: async () => {
      await notifier[Symbol.asyncDispose]();
      await connections[Symbol.asyncDispose]();
    },
  };
}

/** Processes on one database. */
export async function makePostgresProcesses(): Promise<StoreUnderTest<NotifyingProcess>> {
  const url = await makeOutbox();
  const opened: PostgresProcess[] = [];
  return {
    open: async () => {
      const process = await openProcess({ url });
      opened.push(process);
      return process;
    },
    [Symbol.asyncDispose]: async () => {
      for (const process of opened) await process[Symbol.asyncDispose]();
    },
  };
}

/** Statements on a connection of their own. Resolves with the rows of the last one. */
export async function runIn<Row>(url: string, text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
