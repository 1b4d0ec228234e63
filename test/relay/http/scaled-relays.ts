import { PostgresNotifier } from "../../../relay/notify/postgres-notifier.ts";
import { sharedSwift } from "../../engines/shared-engines.ts";
import { RunningRelay } from "../running-relay.ts";
import { migratedDatabase, openPostgres } from "../storage/postgres/open-postgres.ts";
import { applyChange } from "./apply-change.ts";
import type { TwoProcesses } from "./other-process.ts";

/** Makes the stores that relays share: a database and a bucket of their own. */
async function sharedStores() {
  const swift = sharedSwift();
  const database = await migratedDatabase();
  const bucket = await swift.createBucket();
  const settings = { SOUNDFERRY_DATABASE_URL: database.url, ...swift.settingsOf(bucket) };
  return { database, settings };
}

/** Relays, and the settings that name their stores. */
export interface ScaledRelays extends AsyncDisposable {
  readonly relays: readonly RunningRelay[];
  readonly settings: Readonly<Record<string, string>>;
}

/** Several relays on one PostgreSQL and one bucket. */
export async function startScaledRelays(
  count: number,
  more: Record<string, string> = {},
): Promise<ScaledRelays> {
  await using stack = new AsyncDisposableStack();
  const { database, settings } = await sharedStores();
  stack.use(database);
  const relays: RunningRelay[] = [];
  while (relays.length < count) {
    relays.push(
      stack.use(await RunningRelay.start({ ...settings, ...more }, { hasOwnClock: true })),
    );
  }
  const started = stack.move();
  return { relays, settings, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
}

/** A relay, and another process's connections to its database. */
export async function twoOnPostgres(): Promise<TwoProcesses> {
  await using stack = new AsyncDisposableStack();
  const { database, settings } = await sharedStores();
  stack.use(database);
  const relay = stack.use(await RunningRelay.start(settings, { hasOwnClock: true }));
  const other = stack.use(await openPostgres(database.url));
  const notifier = new PostgresNotifier(other.connections, {
    onError: () => {},
    onStoreChanged: () => {},
  });
  stack.use(notifier);
  await notifier.start();
  const started = stack.move();
  return {
    relay,
    change: async (change) => void (await applyChange(other, change)),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}
