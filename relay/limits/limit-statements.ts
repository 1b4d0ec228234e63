import type { Connections } from "../storage/postgres/connections.ts";
import { statement } from "../storage/records/statement.ts";

const TAKE = statement<Granted>(
  "take_limits",
  `SELECT granted, stamp, remaining, wait_ms AS "waitMs", at_ms AS "atMs" FROM take_limits(
     :keys::uuid[], :maxes::bigint[], :spans::bigint[], :grains::bigint[],
     :needs::integer[], :wants::integer[], :time::bigint)`,
  "postgres",
);
const GIVE_BACK = statement(
  "give_back_limits",
  "SELECT give_back_limits(:keys::uuid[], :stamps::bigint[], :units::integer[])",
  "postgres",
);
const DELETE_OLD = statement(
  "delete_old_limits",
  `DELETE FROM limit_counters WHERE key = ANY (ARRAY(
     SELECT key FROM limit_counters WHERE delete_after <= limit_time(:time::bigint)
     ORDER BY delete_after LIMIT :most FOR UPDATE SKIP LOCKED
   )) RETURNING 1`,
  "postgres",
);

/** A request to one window. */
export interface Asked {
  readonly key: string;
  readonly max: number;
  readonly spanMs: number;
  /** Unit in milliseconds to which times are rounded up. */
  readonly grainMs: number;
  readonly need: number;
  /** Number of wanted units, at least `need`. As many as there are, are granted. */
  readonly want: number;
}

/** The answer of one window. */
export interface Granted {
  /** Number of granted units; 0 if one of the windows had too few. */
  readonly granted: number;
  /** Time at which they count as events. */
  readonly stamp: number;
  readonly remaining: number;
  /** Time until this window has enough units; if something was granted, until it has one more. */
  readonly waitMs: number;
  /** Time of the database. */
  readonly atMs: number;
}

/** Events of one window at one time. */
export interface Counted {
  readonly key: string;
  readonly stamp: number;
  readonly units: number;
}

/** The windows in PostgreSQL (rule SC17): each call is one statement and its own transaction. */
export class LimitStatements {
  readonly #connections: Connections;
  readonly #time: (() => number) | undefined;

  /** Prepares the statements. @param time a time to count by in place of the database's; for tests */
  constructor(connections: Connections, time?: () => number) {
    this.#connections = connections;
    this.#time = time;
  }

  /** Takes units of every window, in their order, or of none. */
  take(asked: readonly Asked[]): Promise<readonly Granted[]> {
    return this.#connections.write(
      TAKE({
        keys: asked.map(({ key }) => key),
        maxes: asked.map(({ max }) => max),
        spans: asked.map(({ spanMs }) => spanMs),
        grains: asked.map(({ grainMs }) => grainMs),
        needs: asked.map(({ need }) => need),
        wants: asked.map(({ want }) => want),
        time: this.#time?.() ?? null,
      }),
    );
  }

  async refund(counted: readonly Counted[]): Promise<void> {
    await this.#connections.write(
      GIVE_BACK({
        keys: counted.map(({ key }) => key),
        stamps: counted.map(({ stamp }) => stamp),
        units: counted.map(({ units }) => units),
      }),
    );
  }

  /** Deletes windows in which nothing counts any more. Returns their number, `most` at most. */
  async deleteOld(most: number): Promise<number> {
    const deleted = await this.#connections.write(
      DELETE_OLD({ time: this.#time?.() ?? null, most }),
    );
    return deleted.length;
  }
}

const TICK_MS = 1000;
/** Number of windows that are refunded with one statement. */
const BATCH = 500;
/** Number of windows that are deleted with one statement, and of statements in a row. */
const DELETE_BATCH = 1000;
const MAX_DELETES = 10;
/** Number of ticks between deletions, on average, in each process. */
const DELETE_EVERY = 60;

/**
 * Refunds unused units, and deletes windows that are over, in small batches and one after the other. If the database is
 * away, units that should have been refunded count until they leave their window, and deleting waits for the next time.
 */
export class TidyLimits implements AsyncDisposable {
  readonly #statements: LimitStatements;
  readonly #takeIdle: (isAll: boolean) => readonly Counted[];
  readonly #timer: NodeJS.Timeout;
  #last = Promise.resolve();
  #isTicking = false;

  /**
   * Starts a timer.
   * @param takeIdle takes out the units to refund; called each second, and for all of them at the end
   */
  constructor(statements: LimitStatements, takeIdle: (isAll: boolean) => readonly Counted[]) {
    this.#statements = statements;
    this.#takeIdle = takeIdle;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  refund(spare: readonly Counted[]): void {
    if (spare.length > 0) this.#add(() => this.#return(spare));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.refund(this.#takeIdle(true));
    await this.#last;
  }

  #tick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.refund(this.#takeIdle(false));
    // By chance, so that not all processes do it at once.
    if (Math.random() * DELETE_EVERY < 1) this.#add(() => this.#deleteOld());
    this.#add(async () => void (this.#isTicking = false));
  }

  #add(act: () => Promise<void>): void {
    this.#last = this.#last.then(act).catch(() => undefined);
  }

  async #return(spare: readonly Counted[]): Promise<void> {
    for (let at = 0; at < spare.length; at += BATCH) {
      await this.#statements.refund(spare.slice(at, at + BATCH));
    }
  }

  async #deleteOld(): Promise<void> {
    for (let batch = 0; batch < MAX_DELETES; batch += 1) {
      if ((await this.#statements.deleteOld(DELETE_BATCH)) < DELETE_BATCH) return;
    }
  }
}
