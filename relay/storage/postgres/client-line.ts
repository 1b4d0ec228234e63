import { Client, type ClientBase, type ClientConfig, type PoolConfig, types } from "pg";
import { type Bound, valuesOf } from "../records/statement.ts";

const CONNECT_MS = 5000;
export const STATEMENT_MS = 10_000;
const LOCK_MS = 5000;
/** Time within which a connection answers, longer than a statement may take. After that it won't answer any more. */
const ANSWER_MS = STATEMENT_MS + LOCK_MS;
/** Time for which a process that stops in the middle of a transaction keeps its rows locked. */
const IDLE_IN_TRANSACTION_MS = ANSWER_MS;

/**
 * Option that plans a prepared statement once for each connection. By default, PostgreSQL plans statements of several
 * parts again each time, which for an announcement took longer than its execution. Options in the URL replace these.
 */
const GENERIC_PLANS = "-c plan_cache_mode=force_generic_plan";

/** Returns the pool's configuration. Behind a pooler, settings come with each transaction instead. */
export function configOf(url: string, isPooled: boolean): PoolConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
    ...(isPooled
      ? {}
      : {
          application_name: "soundferry-relay",
          options: GENERIC_PLANS,
          statement_timeout: STATEMENT_MS,
          lock_timeout: LOCK_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        }),
  };
}

/** Parses integers as numbers, because times and counters are whole numbers below 2^53. */
const parserOf: typeof types.getTypeParser = (oid, format: "text" | "binary" = "text") => {
  if (oid === types.builtins.INT8) return Number;
  if (oid === types.builtins.TEXT) return unescapeText;
  return types.getTypeParser(oid, format);
};

const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

/** Returns the statements that begin a transaction. */
export function beginning(isPooled: boolean, statementMs: number): string {
  if (!isPooled && statementMs === STATEMENT_MS) return BEGIN;
  return `${BEGIN}; SET LOCAL statement_timeout = ${statementMs};
    SET LOCAL lock_timeout = ${Math.max(LOCK_MS, statementMs / 2)};
    SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
}

/** The one character that PostgreSQL's text can't hold. */
const NUL = "\u0000";
const ESCAPE = "\u001b";

/** Escapes a text so that PostgreSQL can hold it. `unescapeText` restores it. */
export function escapeText(text: string): string {
  if (!text.includes(NUL) && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll(NUL, `${ESCAPE}0`);
}

export function unescapeText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replaceAll(`${ESCAPE}0`, NUL).replaceAll(`${ESCAPE}1`, ESCAPE);
}

/** Escapes a parameter of a statement. Texts within objects are JSON, which escapes both characters. */
function escapeValue(value: unknown): unknown {
  if (typeof value === "string") return escapeText(value);
  return Array.isArray(value) ? value.map(escapeValue) : value;
}

/**
 * Sends statements over one connection, in order and without waiting for each other (pipelined). Through a pooler
 * they have no names, because the next transaction may reach another session of the database. Within a transaction
 * pipelining is safe there, too, because the pooler keeps the session until its end.
 */
export class ClientLine {
  readonly #client: ClientBase;
  readonly #isPooled: boolean;
  readonly #limits: { readonly query_timeout?: number };

  /** Wraps a connection. @param statementMs time that a statement may take, if that is longer than usual */
  constructor(client: ClientBase, isPooled: boolean, statementMs = STATEMENT_MS) {
    this.#client = client;
    this.#isPooled = isPooled;
    this.#limits = statementMs > STATEMENT_MS ? { query_timeout: statementMs } : {};
  }

  async query<Row>(bound: Bound<Row>): Promise<readonly Row[]> {
    const { name } = bound.statement;
    const { text, names } = bound.statement.compiled("postgres");
    const query = { text, values: valuesOf(bound, names).map(escapeValue), ...this.#limits };
    const { rows } = await this.#client.query(this.#isPooled ? query : { name, ...query });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement names the columns of its rows
    return rows as readonly Row[];
  }

  /** Sends a text of one or several statements without parameters. Resolves with the command that was carried out. */
  async run(text: string): Promise<string> {
    const { command } = await this.#client.query({ text, ...this.#limits });
    return command;
  }
}

interface Opened {
  readonly client: Client;
  readonly ready: Promise<ClientLine>;
}

/** One connection that all short reads share. It is opened when needed, even after it was lost. */
export class ReadingLine implements AsyncDisposable {
  readonly #config: ClientConfig;
  #opened: Opened | undefined;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  async query<Row>(bound: Bound<Row>): Promise<readonly Row[]> {
    this.#opened ??= this.#open();
    const line = await this.#opened.ready;
    return line.query(bound);
  }

  #open(): Opened {
    const client = new Client({ ...this.#config, pipeline: true });
    const forget = () => {
      if (this.#opened?.client === client) this.#opened = undefined;
    };
    // Queries in flight reject with the same error.
    client.on("error", forget);
    client.on("end", forget);
    const ready = client.connect().then(
      () => new ClientLine(client, false),
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return { client, ready };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    await opened.ready.catch(() => {});
    await opened.client.end();
  }
}
