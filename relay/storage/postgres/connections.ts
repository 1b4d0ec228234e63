import { setTimeout as sleep } from "node:timers/promises";
import { Client, Pool } from "pg";
import { beginning, ClientLine, configOf, ReadingLine, STATEMENT_MS } from "./client-line.ts";
import {
  isConflict,
  isLost,
  nameError,
  OutcomeUnknownError,
  whereOf,
} from "./connection-errors.ts";
import { findEnd, unknownIfLost } from "./lost-commit.ts";
import { Outbox } from "./outbox.ts";
import { Listeners } from "../listeners.ts";
import { type Bound, statement, Undone } from "../records/statement.ts";
import type { Transaction } from "./transaction.ts";

export { OutcomeUnknownError } from "./connection-errors.ts";

export interface ConnectionOptions {
  readonly url: string;
  /** A direct connection for LISTEN if `url` leads to a pooler. */
  readonly listenUrl?: string | undefined;
  /** Maximum number of connections at the same time, at least 2. */
  readonly max?: number | undefined;
  /** Called with trouble in the background. */
  readonly onTrouble: (error: Error) => void;
}

interface TransactionOptions {
  /** Time that one statement may take. */
  readonly statementMs?: number;
  /**
   * The reaction to a connection that was lost during COMMIT, after that transaction has ended: a function that
   * checks whether the change is in the database, or `repeat` if making it twice is the same as once.
   */
  readonly ifUnknown?: (() => Promise<boolean>) | "repeat";
}

const DEFAULT_MAX = 10;
/** Time that a transaction waits for a free connection of the pool. */
const POOL_MS = 15_000;
const IDLE_MS = 60_000;
/** Maximum number of tries of a transaction after a deadlock, a conflict, or a loss before COMMIT. */
const MAX_TRIES = 6;
/** Maximum number of these tries that lose their connection. */
const MAX_LOSSES = 3;
const BACKOFF_MS = 8;
const WHO = "SELECT pg_backend_pid() AS pid";
const XID = statement<{ readonly xid: string }>(
  "transaction_id",
  "SELECT pg_current_xact_id()::text AS xid",
  "postgres",
);

/** The progress of one try of a transaction. */
interface Attempt<Result> {
  /** Set when COMMIT is sent. The id is known if `ifUnknown` needs it. */
  sent?: { readonly xid: string | undefined; readonly result: Result };
}

/** The fate of a failed try: it may be repeated, it failed for good, or it succeeded after all. */
type Fate<Result> = "repeat" | "failed" | { readonly result: Result };

/**
 * Connections to one PostgreSQL database: one or two that short reads share, and a pool for transactions. They are
 * opened when needed, so that the database may restart. A session keeps nothing but prepared statements, and behind a
 * pooler not even those, so pgbouncer works in transaction mode.
 *
 * Every method rejects with the errors of `relay/domain/ports/store-errors.ts`.
 */
export class Connections implements AsyncDisposable {
  readonly url: string;
  readonly listenUrl: string;
  /** True if a pooler such as pgbouncer is in between. */
  readonly isPooled: boolean;
  /** The database without user and password, for sentences. */
  readonly where: string;
  /** Notices from this process's transactions to other processes. */
  readonly outbox = new Outbox();
  readonly #pool: Pool;
  readonly #readers: readonly ReadingLine[];
  #reads = 0;

  private constructor(options: ConnectionOptions, isPooled: boolean) {
    const { url, listenUrl = url, max = DEFAULT_MAX, onTrouble } = options;
    this.url = url;
    this.listenUrl = listenUrl;
    this.isPooled = isPooled;
    this.where = whereOf(url);
    const config = configOf(url, isPooled);
    const readers = isPooled ? 0 : max < 4 ? 1 : 2;
    this.#readers = Array.from({ length: readers }, () => new ReadingLine(config));
    this.#pool = new Pool({
      ...config,
      pipeline: true,
      max: Math.max(1, max - readers),
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: POOL_MS,
      allowExitOnIdle: true,
    });
    // An idle connection was lost; the pool opens another one. A pool says that it has ended before its connections have.
    this.#pool.on("error", (error) => {
      if (!this.#pool.ending) onTrouble(this.#asError(error));
    });
  }

  /** Opens connections. @throws if the database can't be reached */
  static async open(options: ConnectionOptions): Promise<Connections> {
    const client = new Client(configOf(options.url, true));
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(WHO);
      // A pooler answers with its own number, or that of another connection.
      const isPooled = Reflect.get(client, "processID") !== rows[0]?.pid;
      return new Connections(options, isPooled);
    } catch (error) {
      throw nameError(error, whereOf(options.url));
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Runs a short read. It sees every change that was committed before the call. */
  async read<Row>(bound: Bound<Row>): Promise<readonly Row[]> {
    const reader = this.#readers[this.#reads++ % this.#readers.length];
    if (reader === undefined) return this.readSlowly(bound);
    return this.#repeatedly(() => reader.query(bound), fateOfRead);
  }

  /** Runs a read that may take long. It keeps no other read waiting. */
  readSlowly<Row>(bound: Bound<Row>): Promise<readonly Row[]> {
    return this.#repeatedly(() => this.#withLine((line) => line.query(bound)), fateOfRead);
  }

  /**
   * Runs one statement that changes something, as a separate transaction.
   * @throws OutcomeUnknownError if the connection was lost after it was sent
   */
  write<Row>(bound: Bound<Row>): Promise<readonly Row[]> {
    return this.#repeatedly(
      () =>
        this.#withLine((line) =>
          line.query(bound).catch((error: unknown) => {
            throw unknownIfLost(error, this.where);
          }),
        ),
      (error) => (isConflict(error) ? "repeat" : "failed"),
    );
  }

  /**
   * Acts in a transaction (READ COMMITTED) and commits it. It is rolled back if `act` throws, and repeated after a
   * deadlock, a conflict, or a connection that was lost before COMMIT; so `act` may run several times.
   * @throws OutcomeUnknownError if the connection was lost during COMMIT
   */
  transaction<Result>(
    act: (tx: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    let attempt: Attempt<Result> = {};
    return this.#repeatedly(
      () => this.#transact(act, options, (attempt = {})),
      (error, tried) => this.#fateOf(error, tried, attempt, options),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader[Symbol.asyncDispose]()));
    if (!this.#pool.ending) await this.#pool.end();
  }

  /** Acts, and acts again as long as that may help. Waits longer after each try. */
  async #repeatedly<Result>(
    act: () => Promise<Result>,
    judge: (error: unknown, tried: number) => Fate<Result> | Promise<Fate<Result>>,
  ): Promise<Result> {
    for (let tried = 1; ; tried++) {
      try {
        return await act();
      } catch (error) {
        const fate = await judge(error, tried);
        if (typeof fate === "object") return fate.result;
        if (fate === "failed" || tried === MAX_TRIES) throw nameError(error, this.where);
        await sleep(BACKOFF_MS * 2 ** tried * Math.random());
      }
    }
  }

  /** Finds out what became of a failed transaction. */
  async #fateOf<Result>(
    error: unknown,
    tried: number,
    { sent }: Attempt<Result>,
    { ifUnknown }: TransactionOptions,
  ): Promise<Fate<Result>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the change gives its own result
    if (error instanceof Undone) return { result: error.result as Result };
    if (isConflict(error)) return "repeat";
    if (!isLost(error)) return "failed";
    const ifRepeatable = tried < MAX_LOSSES ? "repeat" : "failed";
    if (!(error instanceof OutcomeUnknownError)) return ifRepeatable;
    if (ifUnknown === undefined || sent?.xid === undefined) return "failed";
    try {
      const status = await findEnd(sent.xid, (bound) => this.readSlowly(bound));
      if (status === "in progress") return "failed";
      if (status === "aborted" || ifUnknown === "repeat") return ifRepeatable;
      return (await ifUnknown()) ? sent : "failed";
    } catch {
      // The database can't be asked, so the caller learns that the outcome is unknown.
      return "failed";
    }
  }

  #transact<Result>(
    act: (tx: Transaction) => Promise<Result>,
    { statementMs = STATEMENT_MS, ifUnknown }: TransactionOptions,
    attempt: Attempt<Result>,
  ): Promise<Result> {
    return this.#withLine(async (line) => {
      const told = new Listeners();
      let trouble: unknown;
      const query = <Row>(bound: Bound<Row>) => {
        const answer = line.query(bound);
        answer.catch((error: unknown) => (trouble ??= error));
        return answer;
      };
      let result: Result;
      try {
        // Sent with the first query. If it fails, the query fails, too.
        line.run(beginning(this.isPooled, statementMs)).catch(ignore);
        const asked = ifUnknown === undefined ? undefined : query(XID());
        result = await act({
          outbox: this.outbox,
          onCommitted: (tell) => void told.add(tell),
          query,
          run: async (text) => void (await line.run(text)),
          send: (bound) => void query(bound),
        });
        // A change that asks nothing doesn't know the transaction's id yet, by which a lost COMMIT is looked up.
        const [row] = (await asked) ?? [];
        attempt.sent = { xid: row?.xid, result };
      } catch (error) {
        trouble ??= error;
        // After a deadlock, later statements fail with another error.
        const first = isConflict(trouble) || isLost(trouble) ? trouble : error;
        // If the connection is lost, so is the transaction.
        await line.run("ROLLBACK").catch(ignore);
        throw first;
      }
      // Sent with the last statement. PostgreSQL rolls back if any statement failed.
      const command = await line.run("COMMIT").catch((error: unknown) => {
        if (isLost(error)) told.call();
        throw unknownIfLost(error, this.where);
      });
      if (command !== "COMMIT") throw trouble ?? new Error("The transaction was rolled back.");
      told.call();
      return result;
    }, statementMs);
  }

  /** Acts on a connection of the pool, which drops the connection if it is lost. */
  async #withLine<Result>(
    act: (line: ClientLine) => Promise<Result>,
    statementMs?: number,
  ): Promise<Result> {
    const client = await this.#pool.connect();
    client.on("error", ignore);
    let lost = false;
    try {
      return await act(new ClientLine(client, this.isPooled, statementMs));
    } catch (error) {
      lost = isLost(error);
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(lost);
    }
  }

  #asError(error: unknown): Error {
    const named = nameError(error, this.where);
    return named instanceof Error ? named : new Error(String(named));
  }
}

/** A read is asked once more, on another connection. */
function fateOfRead(error: unknown, tried: number): "repeat" | "failed" {
  return isLost(error) && tried === 1 ? "repeat" : "failed";
}

function ignore(): void {}

/** The connections of one process, and its outbox. */
export type OutboxConnections = Pick<Connections, "outbox" | "read" | "write">;
