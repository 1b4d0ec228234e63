import { setTimeout as sleep } from "node:timers/promises";
import { Client, Pool, type PoolClient } from "pg";
import { beginning, ClientLine, configOf, ReadingLine, STATEMENT_MS } from "./client-line.ts";
import {
  isConflict,
  isLost,
  nameError,
  OutcomeUnknownError,
  whereOf,
} from "./connection-errors.ts";
import { commit, findEnd, unknownOutcome, xidIn } from "./lost-commit.ts";
import { Outbox } from "./outbox.ts";
import { type Bound, Undone } from "../records/statement.ts";
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

/** The progress of one try of a transaction. */
interface Attempt<Result> {
  xid?: string | undefined;
  /** Result of `act`, before COMMIT was sent. */
  result?: { readonly value: Result };
}

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
    return this.#twice(() => reader.query(bound));
  }

  /** Runs a read that may take long. It keeps no other read waiting. */
  async readSlowly<Row>(bound: Bound<Row>): Promise<readonly Row[]> {
    return this.#twice(() => this.#withClient((line) => line.query(bound)));
  }

  /**
   * Runs one statement that changes something, as a separate transaction.
   * @throws OutcomeUnknownError if the connection was lost after it was sent
   */
  async write<Row>(bound: Bound<Row>): Promise<readonly Row[]> {
    for (let tried = 1; ; tried++) {
      try {
        return asRows(await this.#withClient((line) => line.query(bound), true));
      } catch (error) {
        if (tried === MAX_TRIES || !isConflict(error)) throw nameError(error, this.where);
        await backOff(tried);
      }
    }
  }

  /**
   * Acts in a transaction (READ COMMITTED) and commits it. It is rolled back if `act` throws, and repeated after a
   * deadlock, a conflict, or a connection that was lost before COMMIT; so `act` may run several times.
   * @throws OutcomeUnknownError if the connection was lost during COMMIT
   */
  async transaction<Result>(
    act: (tx: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    for (let tried = 1; ; tried++) {
      const attempt: Attempt<Result> = {};
      try {
        return await this.#transact(act, options, attempt);
      } catch (error) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the change gives its own result
        if (error instanceof Undone) return error.result as Result;
        const fate = await this.#fateOf(error, attempt, options);
        if (fate === "done" && attempt.result !== undefined) return attempt.result.value;
        const isLastLoss = isLost(error) && tried >= MAX_LOSSES;
        if (fate !== "repeat" || tried === MAX_TRIES || isLastLoss) {
          throw nameError(error, this.where);
        }
        await backOff(tried);
      }
    }
  }

  /** Finds out what became of a failed transaction, and whether it can be repeated. */
  async #fateOf(
    error: unknown,
    { xid, result }: Attempt<unknown>,
    { ifUnknown }: TransactionOptions,
  ): Promise<"done" | "repeat" | "failed"> {
    if (isConflict(error)) return "repeat";
    if (!(error instanceof OutcomeUnknownError)) return isLost(error) ? "repeat" : "failed";
    if (ifUnknown === undefined || xid === undefined || result === undefined) return "failed";
    try {
      const status = await findEnd(xid, (bound) => this.readSlowly(bound));
      if (status === "aborted") return "repeat";
      if (status === "in progress") return "failed";
      if (ifUnknown === "repeat") return "repeat";
      return (await ifUnknown()) ? "done" : "failed";
    } catch {
      // The database can't be asked, so the caller learns that the outcome is unknown.
      return "failed";
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader[Symbol.asyncDispose]()));
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #transact<Result>(
    act: (tx: Transaction) => Promise<Result>,
    { statementMs = STATEMENT_MS, ifUnknown }: TransactionOptions,
    attempt: Attempt<Result>,
  ): Promise<Result> {
    const client = await this.#pool.connect();
    client.on("error", ignore);
    const line = new ClientLine(client, this.isPooled, statementMs);
    const told: (() => void)[] = [];
    let trouble: unknown;
    try {
      // Sent with the first query. If it fails, the query fails, too.
      const begun = line.run(beginning(this.isPooled, statementMs, ifUnknown !== undefined));
      begun.then((answer) => (attempt.xid = xidIn(answer)), ignore);
      const send = (bound: Bound) => {
        const answer = line.query(bound);
        answer.catch((error: unknown) => (trouble ??= error));
        return answer;
      };
      const tx: Transaction = {
        outbox: this.outbox,
        onCommitted: (tell) => void told.push(tell),
        query: async (bound) => asRows((await send(bound)).rows),
        run: async (text) => void (await line.run(text)),
        send: (bound) => void send(bound).catch(ignore),
      };
      let result: Result;
      try {
        result = await act(tx);
        // A change that asks nothing doesn't know the transaction's id yet, by which a lost COMMIT is looked up.
        if (ifUnknown !== undefined) await begun;
      } catch (error) {
        trouble ??= error;
        // After a deadlock, later statements fail with another error.
        const first = isConflict(trouble) || isLost(trouble) ? trouble : error;
        // If the connection is lost, so is the transaction.
        await line.run("ROLLBACK").catch(ignore);
        throw first;
      }
      attempt.result = { value: result };
      // Sent with the last statement. PostgreSQL rolls back if any statement failed.
      const command = await commit(line, this.where);
      if (command !== "COMMIT") throw trouble ?? new Error("The transaction was rolled back.");
      trouble = undefined;
      for (const act of told) act();
      return result;
    } catch (error) {
      if (error instanceof OutcomeUnknownError) for (const act of told) act();
      trouble ??= error;
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(trouble !== undefined && isLost(trouble));
    }
  }

  async #withClient(
    act: (line: ClientLine) => Promise<{ readonly rows: readonly unknown[] }>,
    isWriting = false,
  ): Promise<readonly unknown[]> {
    const client: PoolClient = await this.#pool.connect();
    client.on("error", ignore);
    let lost = false;
    try {
      return (await act(new ClientLine(client, this.isPooled))).rows;
    } catch (error) {
      lost = isLost(error);
      throw lost && isWriting ? unknownOutcome(error, this.where) : error;
    } finally {
      client.off("error", ignore);
      client.release(lost);
    }
  }

  async #twice<Row>(read: () => Promise<readonly unknown[]>): Promise<readonly Row[]> {
    try {
      return asRows(
        await read().catch((error: unknown) => (isLost(error) ? read() : Promise.reject(error))),
      );
    } catch (error) {
      throw nameError(error, this.where);
    }
  }

  #asError(error: unknown): Error {
    const named = nameError(error, this.where);
    return named instanceof Error ? named : new Error(String(named));
  }
}

/** This process's queries name their columns, so their rows have the shape that the caller says. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller's statement says which
function asRows<Row>(rows: readonly unknown[]): readonly Row[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement ties the rows to their type
  return rows as readonly Row[];
}

function backOff(tried: number): Promise<void> {
  return sleep(BACKOFF_MS * 2 ** tried * Math.random());
}

function ignore(): void {}

/** The connections of one process, and its outbox. */
export type OutboxConnections = Pick<Connections, "outbox" | "read" | "write">;
