import type {
  BoundSoundStore,
  QuarantiningSoundStore,
  ResumingSoundStore,
} from "../domain/ports.ts";
import { DiskSoundStore } from "../storage/disk/disk-sound-store.ts";
import { refuseMoved } from "../storage/disk/moved-mark.ts";
import type { ActingOptions, OperatorActions } from "./operator-actions.ts";
import type { RelayView } from "./relay-view.ts";

/** The places of a relay's records and sounds, from its settings. */
export interface StoreSettings {
  readonly dataFolder: string;
  /** Address of a PostgreSQL database in place of SQLite. */
  readonly databaseUrl?: string | undefined;
  readonly allowUnsafeDatabase?: boolean;
  /** Bucket of an S3 service in place of the disk. */
  readonly s3Bucket?: string | undefined;
  readonly s3Endpoint?: string | undefined;
  readonly s3Region?: string | undefined;
  readonly s3AccessKeyId?: string | undefined;
  readonly s3SecretAccessKey?: string | undefined;
}

/** Number of connections, which is enough for a program that serves one person. */
const CONNECTIONS = 3;

/** A store of sounds with everything that operating a relay needs. */
export type OperatedSounds = ResumingSoundStore & BoundSoundStore & QuarantiningSoundStore;

/** Opens a relay's sounds as they are. Creates nothing. */
export async function openSounds(
  settings: StoreSettings,
): Promise<OperatedSounds & Partial<AsyncDisposable>> {
  const { s3Bucket: bucket } = settings;
  if (bucket === undefined) return DiskSoundStore.openReadOnly(settings.dataFolder);
  const { openS3SoundStore } = await import("../storage/s3/s3-sound-store.ts");
  return openS3SoundStore({
    bucket,
    endpoint: settings.s3Endpoint,
    region: settings.s3Region ?? "us-east-1",
    accessKeyId: settings.s3AccessKeyId,
    secretAccessKey: settings.s3SecretAccessKey,
    onTrouble: () => {},
  });
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
 * Opens a relay's records to look at them.
 * @throws {Error} a sentence if there are none, or if another version wrote them
 */
export async function openView(settings: StoreSettings): Promise<RelayView> {
  const freeBytes = async () => {
    const sounds = await openSounds(settings);
    try {
      return await sounds.room();
    } finally {
      await sounds[Symbol.asyncDispose]?.();
    }
  };
  if (settings.databaseUrl !== undefined) {
    const { PostgresView } = await import("./postgres/postgres-view.ts");
    return new PostgresView(
      await openDatabase({ ...settings, databaseUrl: settings.databaseUrl }),
      freeBytes,
    );
  }
  const { openFolderView } = await import("./folder-view.ts");
  return openFolderView(settings.dataFolder, freeBytes);
}

/**
 * Opens a relay's records for an operator who changes them.
 * @throws {Error} a sentence if there are none, if another version wrote them, or if they have moved
 */
export async function openActions(
  settings: StoreSettings,
  options: ActingOptions,
): Promise<OperatorActions & AsyncDisposable> {
  if (settings.databaseUrl === undefined) refuseMoved(settings.dataFolder);
  const sounds = await openSounds(settings);
  try {
    if (settings.databaseUrl !== undefined) {
      const { PostgresAdministration } = await import("./postgres/postgres-administration.ts");
      return await PostgresAdministration.open(
        await openDatabase({ ...settings, databaseUrl: settings.databaseUrl }),
        sounds,
        options,
      );
    }
    const { Administration } = await import("./administer.ts");
    return await Administration.open(settings.dataFolder, { ...options, sounds });
  } catch (error) {
    await sounds[Symbol.asyncDispose]?.();
    throw error;
  }
}
