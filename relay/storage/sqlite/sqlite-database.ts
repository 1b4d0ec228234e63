import type { DatabaseSync } from "node:sqlite";
import type {
  PackageRecords,
  PairingRecords,
  RecordStore,
  SoundKeys,
  StoreChanges,
} from "../../domain/ports.ts";
import { openForReading } from "./open-database.ts";
import { RecordCache } from "./record-cache.ts";
import { recordsOver } from "./records-over.ts";
import { startWriter, WriteQueue } from "./write-queue.ts";

/**
 * The relay's records in one SQLite file. A separate thread writes and commits in groups, so that waiting for
 * the disk never blocks the event loop. Reads run here, on a connection that sees every commit before its
 * write resolves. Other processes may have the same file open (rule J7).
 */
export class SqliteDatabase implements RecordStore, AsyncDisposable {
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly soundKeys: SoundKeys;
  readonly changes: StoreChanges;
  readonly #queue: WriteQueue;
  readonly #reading: DatabaseSync;
  readonly #cache = new RecordCache();
  readonly #watchers = new Set<{ readonly onChange: () => void }>();

  private constructor(queue: WriteQueue, reading: DatabaseSync) {
    this.#queue = queue;
    this.#reading = reading;
    // A relay that can't write must not read either, so that it is seen to be broken.
    void queue.ended.then(() => this.#closeReading());
    const records = recordsOver({
      reading,
      cache: this.#cache,
      write: (name, argument) => queue.do(name, argument),
    });
    this.pairings = records.pairings;
    this.packages = records.packages;
    this.soundKeys = records.soundKeys;
    this.changes = { watch: (onChange) => this.#watch(onChange) };
    queue.onChangedElsewhere(() => {
      this.#cache.markStale();
      for (const { onChange } of this.#watchers) onChange();
    });
  }

  /**
   * Opens the database of an existing data folder and creates it if needed.
   * @throws if a newer relay wrote it, or if it is not a database; the message says so
   */
  static async open(folder: string): Promise<SqliteDatabase> {
    const queue = new WriteQueue(await startWriter(folder));
    let reading: DatabaseSync | undefined;
    try {
      reading = openForReading(folder);
      return new SqliteDatabase(queue, reading);
    } catch (error) {
      // As on disposal, the writer closes last.
      reading?.close();
      await queue[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The last connection to close merges everything into one file, and only the writer can.
    this.#closeReading();
    await this.#queue[Symbol.asyncDispose]();
  }

  #watch(onChange: () => void): () => void {
    const watcher = { onChange };
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #closeReading(): void {
    this.#watchers.clear();
    this.#cache.markStale();
    if (this.#reading.isOpen) this.#reading.close();
  }
}
