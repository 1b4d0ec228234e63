import type {
  BoundSoundStore,
  QuarantiningSoundStore,
  RelayClock,
  ResumingSoundStore,
} from "../domain/ports.ts";
import { ClosingStack } from "../../program/closing-stack.ts";
import { DiskSoundStore } from "../storage/disk/disk-sound-store.ts";
import type { Engine } from "../storage/records/engine.ts";
import type { RecordsOver } from "../storage/records/records-over.ts";
import type { S3Settings } from "../storage/s3/s3-calls.ts";
import { openRecordsBeside } from "../storage/sqlite/records-beside.ts";
import { opening as openingDatabase } from "../storage/sqlite/open-database.ts";
import { openCurrent } from "./folder-database.ts";

/** The places of a relay's records and sounds, from its settings. */
export interface StoreSettings extends S3Settings {
  readonly dataFolder: string;
  /** Address of a PostgreSQL database in place of SQLite. */
  readonly databaseUrl?: string | undefined;
  readonly allowUnsafeDatabase?: boolean;
  /** Bucket of an S3 service in place of the disk. */
  readonly s3Bucket?: string | undefined;
}

/** Number of connections, which is enough for a program that serves one person. */
const CONNECTIONS = 3;

/** A store of sounds with everything that operating a relay needs. */
export type OperatedSounds = ResumingSoundStore & BoundSoundStore & QuarantiningSoundStore;

/** A relay's records for a program beside the relays. */
export interface OperatedRecords extends Pick<RecordsOver, "packages" | "soundKeys" | "upkeep"> {
  readonly engine: Engine;
  /** The database's own time. Without it, the machine's counts. */
  readonly clock?: RelayClock;
}

/** A relay's records and sounds, wherever they are. */
export interface OperatedStores {
  readonly records: OperatedRecords;
  readonly sounds: OperatedSounds;
}

/**
 * Opens a relay's sounds as they are. Creates nothing.
 * @param isProbed false for a program that stores no sounds, see `openS3SoundStore`
 */
export async function openSounds(
  settings: StoreSettings,
  { isProbed = true }: { readonly isProbed?: boolean } = {},
): Promise<OperatedSounds & AsyncDisposable> {
  const { s3Bucket: bucket } = settings;
  if (bucket === undefined) {
    const sounds = DiskSoundStore.openReadOnly(settings.dataFolder);
    return Object.assign(sounds, { [Symbol.asyncDispose]: async () => {} });
  }
  const { openS3SoundStore } = await import("../storage/s3/s3-sound-store.ts");
  const { s3AddressOf } = await import("../storage/s3/s3-calls.ts");
  const address = s3AddressOf(bucket, settings);
  return openS3SoundStore({ ...address, onTrouble: () => {}, isProbed });
}

/** Opens PostgreSQL, with its schema brought up to date, for a program beside the relays. */
export async function openDatabase(settings: StoreSettings & { readonly databaseUrl: string }) {
  const { PostgresDatabase } = await import("../storage/postgres/postgres-database.ts");
  return PostgresDatabase.open({
    url: settings.databaseUrl,
    max: CONNECTIONS,
    allowUnsafe: settings.allowUnsafeDatabase,
    onTrouble: () => {},
  });
}

/**
 * Opens a relay's records, wherever they are.
 * @throws {Error} a sentence if there are none, or if another version wrote them
 */
export async function openRecords(
  settings: StoreSettings,
  { mayWrite }: { readonly mayWrite: boolean },
): Promise<OperatedRecords & AsyncDisposable> {
  const { databaseUrl, dataFolder } = settings;
  if (databaseUrl !== undefined) return openDatabase({ ...settings, databaseUrl });
  openingDatabase(dataFolder, () => openCurrent(dataFolder).close());
  const records = openRecordsBeside(dataFolder, { mayWrite });
  return { ...records, [Symbol.asyncDispose]: async () => records[Symbol.dispose]() };
}

/**
 * Opens several things. They are closed in reverse order, by the caller or at once if one of them can't be opened.
 * @param open gives each thing that it opened to the stack
 */
export async function opening<Opened extends object>(
  open: (closing: ClosingStack) => Promise<Opened>,
): Promise<Opened & AsyncDisposable> {
  const closing = new ClosingStack();
  const close = () => closing[Symbol.asyncDispose]();
  try {
    return { ...(await open(closing)), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
