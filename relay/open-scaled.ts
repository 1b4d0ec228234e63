import type { Logger } from "pino";
import type { ClosingStack } from "../program/closing-stack.ts";
import type { GivenPorts } from "./open-ports.ts";
import type { RelaySettings } from "./settings.ts";
import { openWays } from "./store-tls.ts";

interface ScaledDeps {
  readonly log: Logger;
  readonly closing: ClosingStack;
  readonly onTrouble: (error: Error) => void;
}

/**
 * Returns the given ports, and opens those that the settings ask for: records, notifications and limits in PostgreSQL,
 * sounds in S3. Without such a setting none of their code is loaded (rule SC30).
 * @throws {Error} a sentence for the operator, if one of them can't be used
 */
export async function openScaled(
  settings: RelaySettings,
  given: GivenPorts,
  deps: ScaledDeps,
): Promise<GivenPorts> {
  if (given.records === undefined || given.sounds === undefined) {
    for (const sentence of openWays(settings)) deps.log.warn(sentence);
  }
  const database = given.records === undefined ? await openDatabase(settings, deps) : undefined;
  const sounds = given.sounds ?? (await openSounds(settings, deps));
  const limits = given.limits ?? (database && (await openLimits(database, given, deps)));
  const notifier =
    given.notifier ?? (database === undefined ? undefined : await openNotifier(database, deps));
  return {
    ...given,
    ...(database !== undefined && { records: database }),
    ...(sounds !== undefined && { sounds }),
    ...(limits !== undefined && { limits }),
    ...(notifier !== undefined && { notifier }),
  };
}

type Database = Awaited<ReturnType<typeof openDatabase>>;

async function openDatabase(settings: RelaySettings, { closing, onTrouble }: ScaledDeps) {
  const { databaseUrl: url, databaseListenUrl: listenUrl } = settings;
  if (url === undefined) return undefined;
  const { PostgresDatabase } = await import("./storage/postgres/postgres-database.ts");
  const { refuseMovedDatabase } = await import("./storage/postgres/moved-database.ts");
  const database = await PostgresDatabase.open({
    url,
    listenUrl,
    max: settings.databaseConnections,
    allowUnsafe: settings.allowUnsafeDatabase,
    onTrouble,
  });
  closing.use(database);
  await refuseMovedDatabase(database.engine);
  return database;
}

async function openSounds(settings: RelaySettings, { closing, onTrouble }: ScaledDeps) {
  const { s3Bucket: bucket } = settings;
  if (bucket === undefined) return undefined;
  const { openS3SoundStore } = await import("./storage/s3/s3-sound-store.ts");
  const { s3AddressOf } = await import("./storage/s3/s3-calls.ts");
  const store = await openS3SoundStore({
    ...s3AddressOf(bucket, settings),
    presign: settings.s3PresignDownloads,
    onTrouble,
  });
  return closing.use(store);
}

async function openLimits(
  { connections, clock }: NonNullable<Database>,
  given: GivenPorts,
  { closing }: ScaledDeps,
) {
  const { PostgresLimits } = await import("./limits/postgres-limits.ts");
  return closing.use(new PostgresLimits({ connections, clock: given.clock ?? clock }));
}

async function openNotifier(database: NonNullable<Database>, { log, closing }: ScaledDeps) {
  const { PostgresNotifier } = await import("./notify/postgres-notifier.ts");
  const notifier = new PostgresNotifier(database.connections, {
    onError: (error: unknown) => log.error({ err: error }, "a listener failed"),
    onStoreChanged: () => database.changedElsewhere(),
  });
  closing.use(notifier);
  await notifier.start();
  return notifier;
}
