import type { DatabaseSync } from "node:sqlite";
import {
  type OperatorRecords,
  type PackageRecords,
  type PairingRecords,
  type RecordStore,
  type SoundKeys,
  type StoreChanges,
  StoreLostError,
  type StoreUpkeep,
  type StoreWrites,
} from "../../domain/ports.ts";
import { Listeners } from "../listeners.ts";
import { named } from "../naming-trouble.ts";
import { type BallastOptions, FileBallast } from "./ballast.ts";
import { BUSY_TIMEOUT_MS, openForReading } from "./open-database.ts";
import type { Engine } from "../records/engine.ts";
import { recordsOver } from "../records/records-over.ts";
import { RecordCache } from "./record-cache.ts";
import { SqliteEngine, withCache } from "./sqlite-engine.ts";
import { type StartWriter, startWriterThread, WriteQueue } from "./write-queue.ts";
import type { Write } from "./writes.ts";

export interface DatabaseOptions extends BallastOptions {
  /** Time for which a change waits for another connection's lock. */
  readonly busyTimeoutMs: number;
  /** Called with errors in the background that are tried again. */
  readonly onTrouble: (error: Error) => void;
  /** Starts the writer; by default in a separate thread. */
  readonly startWriter: StartWriter;
}

const DEFAULTS: DatabaseOptions = {
  ballastBytes: 0,
  minFreeBytes: 0,
  busyTimeoutMs: BUSY_TIMEOUT_MS,
  onTrouble: () => {},
  startWriter: startWriterThread,
};

/**
 * The relay's records in one SQLite file. A separate thread writes and commits in groups, so that waiting for
 * the disk never blocks the event loop. Reads run here, on a connection that sees every commit before its
 * write resolves. Other processes may have the same file open (rule J7).
 */
export class SqliteDatabase implements RecordStore, AsyncDisposable {
  readonly engine: Engine;
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly soundKeys: SoundKeys;
  readonly changes: StoreChanges;
  readonly upkeep: StoreUpkeep;
  readonly ballast: FileBallast;
  readonly operatorRecords: OperatorRecords;
  readonly broken: AbortSignal;
  readonly writes: StoreWrites;
  readonly #queue: WriteQueue;
  readonly #reading: DatabaseSync;
  readonly #cache = new RecordCache();
  readonly #watchers = new Listeners();

  private constructor(queue: WriteQueue, reading: DatabaseSync, ballast: FileBallast) {
    this.#queue = queue;
    this.#reading = reading;
    this.ballast = ballast;
    queue.on("full", () => ballast.noteFull());
    this.broken = queue.broken;
    this.writes = queue;
    // A relay that can't write must not read either, so that it is seen to be broken.
    void queue.ended.then(() => this.#closeReading());
    const write: Write = (name, argument) => queue.do(name, argument);
    const nameError = (error: unknown, path: string): unknown => {
      if (queue.broken.aborted) return queue.broken.reason;
      const namedError = named(error, path);
      if (namedError instanceof StoreLostError) queue.break(namedError);
      return namedError;
    };
    const beforeRead = () => queue.broken.throwIfAborted();
    const cache = this.#cache;
    const failures = () => queue.failures;
    const engine = new SqliteEngine({ reading, cache, write, nameError, failures, beforeRead });
    const records = recordsOver(engine);
    this.engine = engine;
    this.pairings = records.pairings;
    this.packages = withCache(records.packages, engine, cache);
    this.soundKeys = records.soundKeys;
    this.upkeep = records.upkeep;
    this.operatorRecords = records.operatorRecords;
    this.changes = { watch: (onChange) => this.#watchers.add(onChange) };
    queue.on("changed", () => {
      this.#cache.markStale();
      this.#watchers.call();
    });
  }

  /**
   * Opens the database of an existing data folder and creates it if needed.
   * @throws if a newer relay wrote it, or if it is not a database; the message says so
   */
  static async open(
    folder: string,
    options: Partial<DatabaseOptions> = {},
  ): Promise<SqliteDatabase> {
    const { busyTimeoutMs, onTrouble, startWriter, ...ballastOptions } = {
      ...DEFAULTS,
      ...options,
    };
    const queue = new WriteQueue(await startWriter({ folder, busyTimeoutMs }));
    queue.onTrouble(onTrouble);
    let reading: DatabaseSync | undefined;
    try {
      reading = openForReading(folder, busyTimeoutMs);
      return new SqliteDatabase(queue, reading, new FileBallast(folder, ballastOptions));
    } catch (error) {
      // The writer closes last, as on disposal.
      reading?.close();
      await queue[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.finish();
    // The last connection to close merges everything into one file, and only the writer can.
    this.#closeReading();
    await this.#queue[Symbol.asyncDispose]();
  }

  #closeReading(): void {
    this.#watchers.clear();
    this.#cache.markStale();
    if (this.#reading.isOpen) this.#reading.close();
  }
}
