import type {
  OperatorRecords,
  PackageRecords,
  PairingRecords,
  RecordStore,
  RelayClock,
  SoundKeys,
  StoreChanges,
  StoreUpkeep,
  StoreWrites,
} from "../../domain/ports.ts";
import { Listeners } from "../listeners.ts";
import type { Engine } from "../records/engine.ts";
import { recordsOver } from "../records/records-over.ts";
import { Connections, type ConnectionOptions } from "./connections.ts";
import { DatabaseClock } from "./database-clock.ts";
import { Heartbeat } from "./heartbeat.ts";
import { judgeDurability, migrate } from "./migrations.ts";
import { PostgresPartialTurns } from "./partial-turns.ts";
import { PostgresEngine } from "./postgres-engine.ts";

export interface PostgresOptions extends ConnectionOptions {
  /** Allows a database that may lose what it has confirmed. */
  readonly allowUnsafe?: boolean | undefined;
}

/**
 * The relay's records in PostgreSQL. Any number of processes may use the same database; `locks.ts` has the order
 * of their locks. Nothing is cached.
 */
export class PostgresDatabase implements RecordStore, AsyncDisposable {
  readonly connections: Connections;
  readonly engine: Engine;
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly soundKeys: SoundKeys;
  readonly changes: StoreChanges;
  readonly clock: RelayClock;
  readonly upkeep: StoreUpkeep;
  readonly operatorRecords: OperatorRecords;
  readonly writes: StoreWrites;
  readonly #clock: DatabaseClock;
  readonly #turns: PostgresPartialTurns;
  readonly #heartbeat: Heartbeat;
  readonly #watchers = new Listeners();

  private constructor(connections: Connections, clock: DatabaseClock, heartbeat: Heartbeat) {
    const engine = new PostgresEngine(connections);
    this.connections = connections;
    this.engine = engine;
    this.writes = engine;
    this.clock = clock;
    this.#clock = clock;
    this.#heartbeat = heartbeat;
    this.#turns = new PostgresPartialTurns(connections);
    const records = recordsOver(engine, this.#turns);
    this.pairings = records.pairings;
    this.packages = records.packages;
    this.soundKeys = records.soundKeys;
    this.upkeep = records.upkeep;
    this.operatorRecords = records.operatorRecords;
    this.changes = { watch: (onChange) => this.#watchers.add(onChange), onlyRemembered: true };
  }

  /**
   * Opens a database, and brings its schema up to date.
   * @throws if it can't be reached, isn't durable, or a newer relay has changed it; the message says so
   */
  static async open(options: PostgresOptions): Promise<PostgresDatabase> {
    const connections = await Connections.open(options);
    try {
      await judgeDurability(connections, options);
      await migrate(connections);
      const clock = await DatabaseClock.start(connections, options.onTrouble);
      const heartbeat = await Heartbeat.start(connections);
      return new PostgresDatabase(connections, clock, heartbeat);
    } catch (error) {
      await connections[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Notifies the watchers that another process has changed something. */
  changedElsewhere(): void {
    this.#watchers.call();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchers.clear();
    this.#clock[Symbol.dispose]();
    this.#heartbeat[Symbol.dispose]();
    this.#turns[Symbol.dispose]();
    await this.connections[Symbol.asyncDispose]();
  }
}
