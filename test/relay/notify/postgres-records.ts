import type { RecordStore } from "../../../relay/domain/ports.ts";
import { PostgresNotifier } from "../../../relay/notify/postgres-notifier.ts";
import { PostgresDatabase } from "../../../relay/storage/postgres/postgres-database.ts";
import type { StoreUnderTest } from "../../contracts/relay/contract.ts";
import { sharedPostgres } from "../../engines/shared-engines.ts";

/** A database and its notifier, as a relay has them. */
interface RelayRecords extends AsyncDisposable {
  readonly database: PostgresDatabase;
  readonly notifier: PostgresNotifier;
}

async function openRecords(
  url: string,
  { listenUrl }: { readonly listenUrl?: string } = {},
): Promise<RelayRecords> {
  const database = await PostgresDatabase.open({
    url,
    listenUrl,
    max: 4,
    onTrouble: () => undefined,
  });
  const notifier = new PostgresNotifier(database.connections, {
    onError: () => undefined,
    onStoreChanged: () => database.changedElsewhere(),
  });
  await notifier.start();
  let ended: Promise<void> | undefined;
  const end = async () => {
    await notifier[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  };
  return { database, notifier, [Symbol.asyncDispose]: () => (ended ??= end()) };
}

/**
 * An empty store for a contract suite, each of whose instances hears of the others.
 * @param route changes the URL that instances use
 */
export async function makeRecords(
  route: (url: string) => string = (url) => url,
): Promise<StoreUnderTest<RecordStore>> {
  const direct = await sharedPostgres().createDatabase();
  const opened: RelayRecords[] = [];
  return {
    open: async () => {
      const records = await openRecords(route(direct), { listenUrl: direct });
      opened.push(records);
      const { pairings, packages, soundKeys, changes, clock, upkeep } = records.database;
      const end = () => records[Symbol.asyncDispose]();
      return {
        pairings,
        packages,
        soundKeys,
        changes,
        clock,
        upkeep,
        [Symbol.asyncDispose]: end,
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((records) => records[Symbol.asyncDispose]()));
    },
  };
}
