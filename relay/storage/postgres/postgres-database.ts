import type {
  OperatorRecords,
  PackageRecords,
  PairingRecords,
  RecordStore,
  RelayClock,
  ResumingSoundKeys,
  StoreChanges,
  StoreUpkeep,
  StoreWrites,
} from "../../domain/ports.ts";
import { type ConnectionOptions, Connections } from "./connections.ts";
import { DatabaseClock } from "./database-clock.ts";
import { forgetOld, packageExpiry } from "./expiry.ts";
import { Heartbeat } from "./heartbeat.ts";
import { roomHold } from "./hold-room.ts";
import { judgeDurability, migrate } from "./migrations.ts";
import { operatorRecords } from "./operator-decisions.ts";
import { packageRemoval, packageUpdate } from "./package-changes.ts";
import { packageInsert } from "./package-insert.ts";
import { packageReads } from "./package-reads.ts";
import { pairingRecords } from "./pairings.ts";
import { PostgresPartialTurns } from "./partial-turns.ts";
import { soundKeys } from "./sound-keys.ts";
import { storeUpkeep } from "./upkeep.ts";

export interface PostgresOptions extends ConnectionOptions {
  /** Allows a database that may lose what it has confirmed. */
  readonly allowUnsafe?: boolean | undefined;
}

/**
 * The relay's records in PostgreSQL. Any number of processes may use the same database; `lock-order.ts` has the order
 * of their locks. Nothing is cached.
 */
export class PostgresDatabase implements RecordStore, AsyncDisposable {
  readonly connections: Connections;
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly soundKeys: ResumingSoundKeys;
  readonly changes: StoreChanges;
  readonly clock: RelayClock;
  readonly upkeep: StoreUpkeep;
  readonly operatorRecords: OperatorRecords;
  readonly writes: StoreWrites;
  readonly #clock: DatabaseClock;
  readonly #turns: PostgresPartialTurns;
  readonly #heartbeat: Heartbeat;
  readonly #watchers = new Set<{ readonly onChange: () => void }>();

  private constructor(connections: Connections, clock: DatabaseClock, heartbeat: Heartbeat) {
    const writes = new MeasuredWrites();
    this.connections = connections;
    this.clock = clock;
    this.#clock = clock;
    this.#heartbeat = heartbeat;
    this.writes = writes;
    this.pairings = writes.measure(pairingRecords(connections), PAIRING_WRITES);
    this.packages = writes.measure(packageRecords(connections), PACKAGE_WRITES);
    this.#turns = new PostgresPartialTurns(connections);
    this.soundKeys = writes.measure(soundKeys(connections, this.#turns), KEY_WRITES);
    this.upkeep = storeUpkeep(connections);
    this.operatorRecords = operatorRecords(connections);
    this.changes = { watch: (onChange) => this.#watch(onChange), onlyRemembered: true };
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
    for (const { onChange } of this.#watchers) onChange();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchers.clear();
    this.#clock[Symbol.dispose]();
    this.#heartbeat[Symbol.dispose]();
    this.#turns[Symbol.dispose]();
    await this.connections[Symbol.asyncDispose]();
  }

  #watch(onChange: () => void): () => void {
    const watcher = { onChange };
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}

function packageRecords(connections: Connections): PackageRecords {
  return {
    ...packageReads(connections),
    insert: packageInsert(connections),
    update: packageUpdate(connections),
    holdRoom: roomHold(connections),
    remove: packageRemoval(connections),
    expire: packageExpiry(connections),
    forgetOld: forgetOld(connections),
  };
}

const PACKAGE_WRITES = ["insert", "update", "holdRoom", "remove", "expire", "forgetOld"] as const;
const KEY_WRITES = ["addPending", "doomPending", "remove", "keepPartial", "doomPartial"] as const;
const PAIRING_WRITES = [
  "insertDevice",
  "renameDevice",
  "noteImport",
  "removeDevice",
  "putCode",
  "removeCode",
  "claimCode",
  "repeatClaim",
  "removeAppToken",
  "removePairing",
  "noteSeen",
] as const;

/** Counts the writes that run, and measures each. */
class MeasuredWrites implements StoreWrites {
  #waiting = 0;
  readonly #listeners = new Set<(ms: number) => void>();

  get waiting(): number {
    return this.#waiting;
  }

  onWritten(listener: (ms: number) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Wraps an object so that its calls with these names are measured. */
  measure<Thing extends object>(thing: Thing, names: readonly (keyof Thing & string)[]): Thing {
    const measured: ReadonlySet<string | symbol> = new Set(names);
    return new Proxy(thing, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== "function" || !measured.has(key)) return member;
        return (...args: unknown[]): unknown =>
          this.#measure(async () => Reflect.apply(member, target, args));
      },
    });
  }

  async #measure(write: () => unknown): Promise<unknown> {
    const began = performance.now();
    this.#waiting += 1;
    try {
      return await write();
    } finally {
      this.#waiting -= 1;
      for (const listener of this.#listeners) listener(performance.now() - began);
    }
  }
}
